//! The memory of the table: clusters of slots, each slot two words that tell by themselves whether they belong
//! together.

use std::alloc::{Layout, alloc_zeroed, dealloc};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// One entry in memory.
#[derive(Default)]
pub(super) struct Slot {
    check: AtomicU64,
    data: AtomicU64,
}

impl Slot {
    /// The key and the data; meaningful only if the key is the one looked for.
    #[inline(always)]
    pub fn load(&self) -> (u64, u64) {
        let data = self.data.load(Relaxed);
        (self.check.load(Relaxed) ^ data, data)
    }

    /// Writes both words. A reader in between sees a key that does not match.
    #[inline(always)]
    pub fn store(&self, key: u64, data: u64) {
        self.check.store(key ^ data, Relaxed);
        self.data.store(data, Relaxed);
    }
}

/// Entries that share a cache line.
pub(super) const CLUSTER: usize = 4;

/// The entries of one cache line.
#[repr(align(64))]
pub(super) struct Cluster(pub [Slot; CLUSTER]);

/// Empties clusters. Nobody else has them, so the compiler makes plain stores of this, as wide as the machine has.
pub(super) fn wipe(clusters: &mut [Cluster]) {
    for cluster in clusters {
        for slot in &mut cluster.0 {
            *slot.check.get_mut() = 0;
            *slot.data.get_mut() = 0;
        }
    }
}

/// Zeroed memory for the clusters. The operating system hands out zero pages on first use, so even a table of many
/// gigabytes is there at once. That works only up to the allocator's own alignment (beyond it, memory is filled by
/// hand, which takes seconds), so the clusters are aligned within a slightly larger block.
pub(super) struct Pages {
    block: *mut u8,
    layout: Layout,
    clusters: *mut Cluster,
    len: usize,
}

// SAFETY: the memory is owned, and all access to it goes through atomics.
unsafe impl Send for Pages {}
// SAFETY: as above.
unsafe impl Sync for Pages {}

impl Pages {
    /// Room for so many clusters, all empty; nothing where the system refuses.
    pub fn zeroed(len: usize) -> Option<Pages> {
        let size = len.max(1).checked_mul(size_of::<Cluster>())?.checked_add(align_of::<Cluster>())?;
        let layout = Layout::from_size_align(size, align_of::<Slot>()).ok()?;
        // SAFETY: the layout is not empty.
        let block = unsafe { alloc_zeroed(layout) };
        if block.is_null() {
            return None;
        }
        ask_for_huge_pages(block, size);
        // SAFETY: the block is larger than the clusters by one alignment, so the first aligned address and all
        // clusters from there on lie inside.
        let clusters = unsafe { block.add(block.align_offset(align_of::<Cluster>())) }.cast::<Cluster>();
        Some(Pages { block, layout, clusters, len: len.max(1) })
    }

    /// All clusters.
    #[inline(always)]
    pub fn clusters(&self) -> &[Cluster] {
        // SAFETY: `clusters` points to `len` clusters of memory that was zeroed, and zero is a valid atomic.
        unsafe { std::slice::from_raw_parts(self.clusters, self.len) }
    }

    /// All clusters, to change.
    pub fn clusters_mut(&mut self) -> &mut [Cluster] {
        // SAFETY: as above, and the memory is borrowed by nobody else.
        unsafe { std::slice::from_raw_parts_mut(self.clusters, self.len) }
    }
}

/// Asks for pages of 2 MiB in place of 4 KiB. Nearly every probe is in another page than the one before, and the processor
/// keeps the places of few pages; huge ones are also taken and given back faster. Where the system has none, nothing changes.
#[cfg(all(target_os = "linux", feature = "linux", not(miri)))]
fn ask_for_huge_pages(block: *mut u8, size: usize) {
    const PAGE: usize = 4096;
    let skipped = block.align_offset(PAGE);
    let size = size.saturating_sub(skipped) / PAGE * PAGE;
    // SAFETY: the range lies inside the block, and the advice changes nothing that can be read there.
    let _ = unsafe { rustix::mm::madvise(block.wrapping_add(skipped).cast(), size, rustix::mm::Advice::LinuxHugepage) };
}

#[cfg(not(all(target_os = "linux", feature = "linux", not(miri))))]
fn ask_for_huge_pages(_: *mut u8, _: usize) {}

impl Drop for Pages {
    fn drop(&mut self) {
        // SAFETY: allocated in `zeroed` with this layout.
        unsafe { dealloc(self.block, self.layout) };
    }
}
