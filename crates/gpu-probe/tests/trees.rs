//! Machines as trees of files, and the budget, GPUs and findings that follow from each.

use std::fs;
use std::path::Path;

use tempfile::TempDir;
use tyto_gpu_probe::{NodeAccess, PoolKind, Probe, recommended_pages};

const GIB: u64 = 1 << 30;
const MIB: u64 = 1 << 20;
const PAGES_A_GIB: u64 = GIB / 4096;

/// A machine that is being written.
struct Tree(TempDir);

/// A GPU to write. Sizes are bytes.
#[derive(Clone, Copy)]
struct Card {
    number: u32,
    version: u32,
    vram: (u64, u64),
    gtt: (u64, u64),
    kfd_memory: u64,
}

/// A Strix Halo with the least carve-out and so much GTT.
const fn strix_halo(vram: u64, gtt: u64) -> Card {
    Card {
        number: 1,
        version: 110_501,
        vram: (vram, 200 * MIB),
        gtt: (gtt, GIB),
        kfd_memory: if vram < gtt { gtt } else { vram },
    }
}

impl Tree {
    /// With so much memory, as kB in /proc/meminfo.
    fn new(memory: u64) -> Self {
        let tree = Self(tempfile::tempdir().expect("a folder"));
        let kilobytes = memory / 1024;
        let text = format!("MemTotal: {kilobytes} kB\nMemFree: 1 kB\nMemAvailable: 1024 kB\n");
        tree.with("proc/meminfo", &text).with("proc/sys/kernel/osrelease", "6.18.2-arch1\n")
    }

    fn with(self, file: &str, text: &str) -> Self {
        let path = self.0.path().join(file);
        fs::create_dir_all(path.parent().expect("a file has a folder")).expect("a folder");
        fs::write(path, text).expect("a file");
        self
    }

    fn ttm(self, module: &str, pages: u64) -> Self {
        let folder = format!("sys/module/{module}/parameters");
        self.with(&format!("{folder}/pages_limit"), &format!("{pages}\n"))
            .with(&format!("{folder}/page_pool_size"), &format!("{pages}\n"))
    }

    fn card(self, card: Card) -> Self {
        let Card { number, version, vram, gtt, kfd_memory } = card;
        let (minor, node) = (127 + number, number);
        let device = format!("sys/class/drm/card{number}/device");
        let file = |name: &str| format!("{device}/{name}");
        let nodes = "sys/class/kfd/kfd/topology/nodes";
        let properties = format!(
            "cpu_cores_count 0\nsimd_count 80\nsimd_per_cu 2\ngfx_target_version {version}\n\
             drm_render_minor {minor}\n"
        );
        self.with(&file("vendor"), "0x1002\n")
            .with(&file("device"), "0x1586\n")
            .with(&file("mem_info_vram_total"), &format!("{}\n", vram.0))
            .with(&file("mem_info_vram_used"), &format!("{}\n", vram.1))
            .with(&file("mem_info_gtt_total"), &format!("{}\n", gtt.0))
            .with(&file("mem_info_gtt_used"), &format!("{}\n", gtt.1))
            .with(&file("vbios_version"), "113-STRXLGEN-001\n")
            .with(&file("fw_version/mes_fw_version"), "0x00000080\n")
            .with(&file(&format!("drm/renderD{minor}/dev")), "226:128\n")
            .with(&format!("{nodes}/0/properties"), "cpu_cores_count 32\nsimd_count 0\n")
            .with(&format!("{nodes}/{node}/properties"), &properties)
            .with(
                &format!("{nodes}/{node}/mem_banks/0/properties"),
                &format!("heap_type 1\nsize_in_bytes {kfd_memory}\n"),
            )
            .with("dev/kfd", "")
            .with(&format!("dev/dri/renderD{minor}"), "")
    }

    fn read(&self) -> Probe {
        self.read_with(&[])
    }

    fn read_with(&self, variables: &[(&str, &str)]) -> Probe {
        let find = |name: &str| variables.iter().find(|pair| pair.0 == name);
        Probe::read(self.0.path(), |name| find(name).map(|pair| pair.1.to_owned()))
    }

    fn path(&self) -> &Path {
        self.0.path()
    }
}

/// What a model may take, from which memory, of the first GPU.
fn budget(probe: &Probe) -> (PoolKind, u64) {
    let pool = probe.pool(&probe.gpus[0]).unwrap_or_else(|no_pool| panic!("{no_pool}"));
    (pool.kind, pool.budget)
}

fn ids(probe: &Probe) -> Vec<&'static str> {
    probe.findings().iter().map(|finding| finding.id).collect()
}

#[test]
fn a_carve_out_of_96_gib_is_the_pool_but_for_what_is_in_use() {
    let gtt = 15 * GIB + 512 * MIB;
    let tree = Tree::new(31 * GIB).card(strix_halo(96 * GIB, gtt));
    let probe = tree.read();
    assert_eq!(budget(&probe), (PoolKind::Vram, 96 * GIB - 200 * MIB));
    assert!(ids(&probe).is_empty(), "{:?}", probe.findings());
    let gpu = &probe.gpus[0];
    assert_eq!(gpu.kind.as_deref(), Some("gfx1151"));
    assert_eq!((gpu.compute_units, gpu.is_apu), (Some(40), Some(true)));
    assert_eq!(gpu.render_node.as_deref(), Some("renderD128"));
    assert_eq!(gpu.firmware["mes"], 0x80);
}

#[test]
fn a_gtt_of_120_gib_is_the_pool_where_the_host_keeps_its_share() {
    let card = strix_halo(512 * MIB, 120 * GIB);
    let tree = Tree::new(125 * GIB).ttm("ttm", 120 * PAGES_A_GIB).card(card);
    let probe = tree.read();
    assert_eq!(budget(&probe), (PoolKind::Gtt, 120 * GIB), "neither free memory nor GTT's use");
    assert_eq!(probe.host.memory_available, Some(MIB), "which no budget is made of");
    // With less memory the operating system's 4 GiB come first.
    let tree = Tree::new(122 * GIB).ttm("ttm", 120 * PAGES_A_GIB).card(card);
    let probe = tree.read();
    assert_eq!(budget(&probe), (PoolKind::Gtt, 118 * GIB));
    // Small machines keep a quarter.
    let tree = Tree::new(8 * GIB).card(strix_halo(512 * MIB, 7 * GIB));
    assert_eq!(budget(&tree.read()), (PoolKind::Gtt, 6 * GIB));
}

#[test]
fn ttms_limit_lowers_the_pool_and_the_setting_for_more_is_named() {
    let card = strix_halo(512 * MIB, 120 * GIB);
    let tree = Tree::new(125 * GIB).ttm("ttm", 62 * PAGES_A_GIB).card(card);
    let probe = tree.read();
    assert_eq!(budget(&probe), (PoolKind::Gtt, 62 * GIB));
    assert_eq!(recommended_pages(&probe.host), Some((121, 121 * PAGES_A_GIB)));
    let findings = probe.findings();
    let larger = findings.iter().find(|finding| finding.id == "larger-pool").expect("is there");
    assert!(larger.text.contains("pages_limit=31719424"), "{}", larger.text);
}

#[test]
fn a_limit_left_from_before_the_carve_out_does_not_take_the_hosts_memory() {
    // The kernel compares the carve-out with the limit, not with the memory that is left.
    let card = strix_halo(96 * GIB, 120 * GIB);
    let tree = Tree::new(31 * GIB).ttm("ttm", 120 * PAGES_A_GIB).card(card);
    let probe = tree.read();
    assert_eq!(budget(&probe), (PoolKind::Gtt, 27 * GIB));
    assert!(ids(&probe).contains(&"ttm-beyond-memory"), "{:?}", probe.findings());
}

#[test]
fn of_what_the_kfd_and_the_graphics_driver_say_the_smaller_is_trusted() {
    // ROCm/legacy-rocm-build#5444: 15.5 of 96 GiB, until kernel 6.16.9.
    let seen = 16_651_264 * 1024;
    let card = Card { kfd_memory: seen, ..strix_halo(96 * GIB, 15 * GIB) };
    let tree = Tree::new(31 * GIB).card(card).with("proc/sys/kernel/osrelease", "6.15.4\n");
    let probe = tree.read();
    assert_eq!(budget(&probe), (PoolKind::Vram, seen));
    let findings = probe.findings();
    let sources: Vec<_> = findings.iter().filter_map(|finding| finding.source).collect();
    let expected = ["ROCm/TheRock#2991", "ROCm/legacy-rocm-build#5444"];
    assert_eq!(sources, expected, "{findings:?}");
    // ggml-org/llama.cpp#19818: VRAM only, though GTT is larger.
    let card =
        Card { version: 110_500, kfd_memory: 6368 * MIB, ..strix_halo(6368 * MIB, 40 * GIB) };
    let probe = Tree::new(89 * GIB).card(card).read();
    assert_eq!(budget(&probe), (PoolKind::Gtt, 6368 * MIB));
    assert!(ids(&probe).contains(&"less-than-there-is"));
}

#[test]
fn two_gpus_have_a_pool_each_and_stand_in_rocms_order() {
    let card = |number, version| Card { number, version, ..strix_halo(24 * GIB, 16 * GIB) };
    // A card with memory of its own, whatever GTT says; and one with GTT above it.
    let large = Card { gtt: (200 * GIB, 0), ..card(2, 110_000) };
    let tree = Tree::new(125 * GIB).card(large).card(strix_halo(512 * MIB, 100 * GIB));
    let probe = tree.read();
    let kinds: Vec<_> = probe.gpus.iter().map(|gpu| gpu.kind.as_deref()).collect();
    assert_eq!(kinds, [Some("gfx1151"), Some("gfx1100")]);
    let pools: Vec<_> = probe.gpus.iter().map(|gpu| probe.pool(gpu).expect("known")).collect();
    assert_eq!((pools[0].kind, pools[0].budget), (PoolKind::Gtt, 100 * GIB));
    assert_eq!((pools[1].kind, pools[1].budget), (PoolKind::Vram, 24 * GIB - 200 * MIB));
    let chosen = probe.gpu_of_kind("gfx1100").map(|gpu| gpu.card.as_str());
    assert_eq!(chosen, Some("card2"));
    assert_eq!(probe.gpu_of_kind("gfx942"), None);
}

#[test]
fn variables_that_choose_among_equal_gpus_leave_the_choice_open() {
    let tree = Tree::new(125 * GIB)
        .card(Card { number: 1, version: 110_000, ..strix_halo(24 * GIB, 16 * GIB) })
        .card(Card { number: 2, version: 110_000, ..strix_halo(24 * GIB, 16 * GIB) });
    let first = |probe: &Probe| probe.gpu_of_kind("gfx1100").map(|gpu| gpu.card.clone());
    assert_eq!(first(&tree.read()).as_deref(), Some("card1"));
    assert_eq!(first(&tree.read_with(&[("ROCR_VISIBLE_DEVICES", "1")])), None);
}

#[test]
fn a_machine_without_a_gpu_has_none_and_no_findings() {
    let tree = Tree::new(16 * GIB)
        .with("sys/class/drm/card0/device/vendor", "0x8086\n")
        .with("sys/class/drm/card0-HDMI-A-1/device/vendor", "0x1002\n");
    let probe = tree.read();
    assert!(probe.gpus.is_empty() && probe.nodes.is_empty(), "{probe:?}");
    assert!(ids(&probe).is_empty() && probe.unreadable.is_empty(), "{probe:?}");
    let empty = tempfile::tempdir().expect("a folder");
    assert!(Probe::read(empty.path(), |_| None).gpus.is_empty());
}

#[test]
fn what_cannot_be_read_is_named_and_gives_no_pool() {
    let card = strix_halo(512 * MIB, 120 * GIB);
    let gtt = "sys/class/drm/card1/device/mem_info_gtt_total";
    let damaged = Tree::new(125 * GIB).card(card).with(gtt, "much\n");
    let absent = Tree::new(125 * GIB).card(card);
    fs::remove_file(absent.path().join(gtt)).expect("was there");
    // As for a user whom the kernel does not let read: even root cannot read a folder.
    let forbidden = Tree::new(125 * GIB).card(card);
    fs::remove_file(forbidden.path().join(gtt)).expect("was there");
    fs::create_dir(forbidden.path().join(gtt)).expect("a folder");
    for (tree, is_named) in [(damaged, true), (absent, false), (forbidden, true)] {
        let probe = tree.read();
        let no_pool = probe.pool(&probe.gpus[0]).expect_err("a fact is missing").to_string();
        assert!(no_pool.contains("mem_info_gtt_total of card1"), "{no_pool}");
        let named = probe.unreadable.iter().any(|file| file.file == format!("/{gtt}"));
        assert_eq!(named, is_named, "{:?}", probe.unreadable);
        assert!(ids(&probe).contains(&"no-pool"));
    }
    // The KFD's file alone says what kind of GPU it is.
    let tree = Tree::new(125 * GIB).card(card);
    fs::remove_dir_all(tree.path().join("sys/class/kfd")).expect("was there");
    let probe = tree.read();
    let no_pool = probe.pool(&probe.gpus[0]).expect_err("of no kind").to_string();
    assert!(no_pool.contains("what kind of GPU card1 is"), "{no_pool}");
}

#[test]
fn known_faults_are_found_with_their_reports() {
    let card = strix_halo(512 * MIB, 120 * GIB);
    let tree = Tree::new(125 * GIB)
        .card(card)
        .ttm("ttm", 120 * PAGES_A_GIB)
        .ttm("amdttm", 60 * PAGES_A_GIB)
        .with("sys/module/amdgpu/parameters/gttsize", "122880\n")
        .with("sys/class/drm/card1/device/fw_version/mes_fw_version", "0x00001083\n");
    let probe = tree.read_with(&[("HSA_OVERRIDE_GFX_VERSION", "11.0.0")]);
    let findings = probe.findings();
    for (id, source) in [
        ("override", "ROCm/legacy-rocm-build#5824"),
        ("mes-0x83", "ROCm/legacy-rocm-build#5724"),
        ("two-ttm-limits", "ROCm/legacy-rocm-build#5595"),
        ("gttsize", "ROCm/legacy-rocm-build#5595"),
    ] {
        let found = findings.iter().find(|finding| finding.id == id);
        assert_eq!(found.and_then(|finding| finding.source), Some(source), "{id}: {findings:?}");
    }
    assert!(findings.is_sorted_by_key(|finding| std::cmp::Reverse(finding.severity)));
    assert_eq!(budget(&probe), (PoolKind::Gtt, 60 * GIB), "the smaller limit counts");
}

#[test]
fn device_files_and_groups_are_looked_at() {
    let tree = Tree::new(125 * GIB)
        .card(strix_halo(512 * MIB, 120 * GIB))
        .with("etc/group", "root:x:0:\nvideo:x:44:alice\nrender:x:992:alice\n")
        .with("proc/self/status", "Name:\ttyto\nGroups:\t44 1000 \n");
    fs::remove_file(tree.path().join("dev/dri/renderD128")).expect("was there");
    let probe = tree.read();
    let member = |name: &str| {
        probe.groups.iter().find(|group| group.name == name).and_then(|group| group.member)
    };
    assert_eq!((member("render"), member("video")), (Some(false), Some(true)));
    let access: Vec<_> = probe.nodes.iter().map(|node| (&*node.path, &node.access)).collect();
    let expected = [("/dev/kfd", &NodeAccess::Open), ("/dev/dri/renderD128", &NodeAccess::Missing)];
    assert_eq!(access, expected);
    assert!(ids(&probe).contains(&"device-node"));
}
