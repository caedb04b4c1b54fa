import type { KnownType } from './known-types.ts';

/** How the windows of a span are read, by the type of its samples (shared/adapters/influx/README.md#shapes). */
export const spanShapes = {
	float: 'pushed',
	integer: 'converted',
	boolean: 'booleans',
	mixed: 'days',
	text: 'types',
} as const satisfies Record<KnownType, string>;

/** A way to read the windows of a span. */
export type SpanShape = (typeof spanShapes)[KnownType];

/** The same of the means of a series, which have no minimum or maximum beside them. */
export const meanShapes = { ...spanShapes, boolean: 'converted' } as const satisfies Record<KnownType, SpanShape>;

/** A way to read a series. `plain` is that of newest samples and of windows of `last`, whatever their type is. */
export type SeriesShape = 'plain' | (typeof meanShapes)[KnownType];
