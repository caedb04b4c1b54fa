/** The kinds of things that a drawing can lose when it becomes a background. */
export type LostKind = 'labels' | 'fonts' | 'images' | 'links' | 'effects' | 'animations' | 'scripts' | 'styles' | 'others';

/** How many things of each kind a drawing has lost, in the order in which they were found. */
export type Lost = ReadonlyMap<LostKind, number>;
