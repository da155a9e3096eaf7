//! The device files that a program opens, and whether this one may.

use std::fs::OpenOptions;
use std::io::ErrorKind;

use serde::Serialize;

use crate::gpu::Gpu;
use crate::source::Source;

/// A file below `/dev`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct DeviceNode {
    /// Its path.
    pub path: String,
    /// Whether it opens.
    pub access: NodeAccess,
}

/// What became of opening a device file for reading and writing.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum NodeAccess {
    /// It opens.
    Open,
    /// It is not there: the kernel driver is not loaded, or a container does not show it.
    Missing,
    /// It is there for others.
    Denied,
    /// It is there and does not open, for this reason.
    Failed(String),
}

/// A group that owns device files on common distributions.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Group {
    /// `render` or `video`.
    pub name: String,
    /// Whether this process is in it; `None` where the group does not exist.
    pub member: Option<bool>,
}

/// `/dev/kfd`, and the render node of each GPU. Nothing without a GPU.
pub(crate) fn nodes(source: &Source, gpus: &[Gpu]) -> Vec<DeviceNode> {
    if gpus.is_empty() {
        return Vec::new();
    }
    let render = gpus.iter().filter_map(|gpu| gpu.render_node.as_deref());
    let files = render.map(|name| format!("dev/dri/{name}"));
    let node =
        |file: String| DeviceNode { access: access(source, &file), path: format!("/{file}") };
    std::iter::once("dev/kfd".to_owned()).chain(files).map(node).collect()
}

fn access(source: &Source, file: &str) -> NodeAccess {
    match OpenOptions::new().read(true).write(true).open(source.path(file)) {
        Ok(_) => NodeAccess::Open,
        Err(error) => match error.kind() {
            ErrorKind::NotFound => NodeAccess::Missing,
            ErrorKind::PermissionDenied => NodeAccess::Denied,
            _ => NodeAccess::Failed(error.to_string()),
        },
    }
}

/// The two groups, and whether this process is in them.
pub(crate) fn groups(source: &Source) -> Vec<Group> {
    let database = source.text("etc/group").unwrap_or_default();
    let status = source.text("proc/self/status").unwrap_or_default();
    let mine = status.lines().find_map(|line| line.strip_prefix("Groups:")).unwrap_or_default();
    let mine: Vec<u32> = mine.split_whitespace().filter_map(|id| id.parse().ok()).collect();
    let of = |name: &str| Group {
        name: name.to_owned(),
        member: group_id(&database, name).map(|id| mine.contains(&id)),
    };
    ["render", "video"].map(of).into()
}

/// Of a line `render:x:992:alice`.
fn group_id(database: &str, name: &str) -> Option<u32> {
    database.lines().find_map(|line| {
        let mut fields = line.split(':');
        (fields.next() == Some(name)).then(|| fields.nth(1)?.parse().ok())?
    })
}
