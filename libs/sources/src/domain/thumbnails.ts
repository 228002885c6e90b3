/** Longest sides of the thumbnails that are made of everything that can be seen, in pixels, smallest first. */
export const THUMBNAIL_EDGES = [320, 1024] as const;
