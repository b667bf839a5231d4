//! What keeps a guest in: walls, and a filter of system calls.

use crate::filter;
use crate::walls::Walls;

/// What keeps a guest in.
pub struct Confinement {
    pub walls: Walls,
    pub filter: Vec<libc::sock_filter>,
}

impl Confinement {
    pub fn none() -> Self {
        Self { walls: Walls::None, filter: filter::program() }
    }

    pub fn build() -> Result<Self, String> {
        let walls = Walls::raise()?;
        walls.build_view()?;
        walls.rehearse()?;
        Ok(Self { walls, filter: filter::program() })
    }
}
