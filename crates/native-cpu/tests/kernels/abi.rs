//! The structures that Rust and C share, as both compilers have them.

use std::mem::{offset_of, size_of};

use tyto_native_cpu::Variant;
use tyto_native_cpu::linked::abi_numbers;
use tyto_phase_program::abi::{
    self, PhaseKind, RowKind, Space, packed_bytes, partial_stride, routed_row_bytes, routed_units,
};

/// The size of a structure and the offsets of its fields.
macro_rules! structure {
    ($list:ident, $type:ident, $($field:ident),*) => {
        $list.push((stringify!($type).to_owned(), size_of::<abi::$type>() as u64));
        $($list.push((
            concat!(stringify!($type), ".", stringify!($field)).to_owned(),
            offset_of!(abi::$type, $field) as u64,
        ));)*
    };
}

/// The list of `kernels-cpu/abi.h`, in its order, from the structures in Rust.
fn numbers_in_rust() -> Vec<(String, u64)> {
    let mut list = vec![
        ("TY_ABI_VERSION".to_owned(), abi::VERSION.into()),
        ("TY_MAGIC".to_owned(), abi::MAGIC.into()),
        ("TY_MAX_SPLITS".to_owned(), abi::MAX_SPLITS as u64),
        ("TY_FEW".to_owned(), abi::FEW_ROWS),
        ("TY_SPACES".to_owned(), Space::Logits as u64 + 1),
        ("ty_counter".to_owned(), abi::COUNTER_BYTES),
    ];
    structure!(list, Linear, format, n, k, y_stride, weights, packed, y, x_stride, x_head);
    structure!(
        list,
        Attention,
        heads,
        kv_heads,
        head_dim,
        block_size,
        kv_format,
        window,
        scale,
        soft_cap,
        block_bytes,
        keys,
        values,
        q,
        k,
        v,
        out,
        sinks,
        q_stride,
        k_stride,
        v_stride,
        pages,
        has_sinks,
        zero
    );
    structure!(
        list,
        Route,
        experts,
        used,
        rows,
        scores_stride,
        groups,
        kept,
        best,
        zero,
        scores,
        ids,
        table
    );
    structure!(list, Experts, linear, expert_bytes, route, of_tokens);
    structure!(
        list, Conv, channels, taps, silu, has_bias, slot_bytes, state, weight, bias, x, out,
        x_stride, out_stride, entries, zero
    );
    structure!(
        list,
        Scan,
        rule,
        heads,
        groups,
        depth,
        width,
        least,
        most,
        strength,
        slot_bytes,
        state,
        v,
        k,
        q,
        dt,
        gate,
        a_log,
        dt_bias,
        d,
        out,
        v_stride,
        k_stride,
        q_stride,
        dt_stride,
        gate_stride,
        out_stride,
        entries,
        decays
    );
    structure!(list, Row, at, stride);
    structure!(list, RowOp, kind, width, dst, a, b, p0, p1, imm0, imm1, format, store);
    structure!(
        list,
        Phase,
        kind,
        over,
        first_op,
        n_ops,
        kernel,
        rows_a_chunk,
        joined,
        first_after,
        n_after,
        groups
    );
    structure!(
        list,
        Header,
        magic,
        abi_version,
        batch,
        tokens,
        rows,
        zero,
        n_phases,
        n_ops,
        n_linears,
        n_attentions,
        n_routes,
        n_experts,
        n_convs,
        n_scans,
        phases,
        ops,
        linears,
        attentions,
        routes,
        experts,
        convs,
        scans,
        shared_bytes,
        private_bytes
    );
    let team = tyto_native_team::LAYOUT;
    list.extend(team.map(|(name, number)| (name.to_owned(), number as u64)));
    list.push(("the last space".to_owned(), Space::Logits as u64));
    list.push(("the last row operation".to_owned(), RowKind::Weighted as u64));
    list.push(("the last kind of phase".to_owned(), PhaseKind::Weigh as u64));
    for (k, rows) in [(1, 1), (33, 8), (4097, 9), (1536, 512)] {
        list.push((format!("packed bytes of {rows} rows of {k}"), packed_bytes(k, rows)));
    }
    for dim in [2, 80] {
        list.push((format!("partial stride of {dim}"), partial_stride(dim)));
    }
    for k in [1, 4097] {
        list.push((format!("bytes of a packed routed row of {k}"), routed_row_bytes(k)));
    }
    for rows in [8, 17] {
        list.push((format!("packed rows of {rows} routed rows"), routed_units(rows)));
    }
    list
}

#[test]
fn structures_are_the_same_in_rust_and_in_every_variant() {
    let expected = numbers_in_rust();
    for variant in Variant::ALL.into_iter().filter(|v| v.object().is_some() && v.runs_here()) {
        let found = abi_numbers(variant);
        for ((name, expected), found) in expected.iter().zip(&found) {
            assert_eq!(u64::from(*found), *expected, "{variant:?}: {name}");
        }
        assert_eq!(found.len(), expected.len(), "{variant:?}: numbers in the list");
    }
}

#[test]
fn the_version_is_the_same_for_helpers() {
    assert_eq!(abi::VERSION, tyto_native_team::ABI_VERSION);
}
