/** How memory is got from the system: as `npm start`, the image and the systemd units set it. */
export const MALLOC = { MALLOC_MMAP_THRESHOLD_: '32768', MALLOC_ARENA_MAX: '2' };
