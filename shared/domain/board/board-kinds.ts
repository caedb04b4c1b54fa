/** The kinds of board (shared/domain/board/README.md#references). */
export const boardKinds = ['chart', 'diagram', 'alarm', 'correction', 'report', 'entry'] as const;

/** The names of several boards of a kind, as limits, exports and messages say them. */
export const boardPlurals = {
	chart: 'charts',
	diagram: 'diagrams',
	alarm: 'alarms',
	correction: 'corrections',
	report: 'reports',
	entry: 'entries',
} as const satisfies Readonly<Record<BoardKind, string>>;

/** A kind of board. */
export type BoardKind = (typeof boardKinds)[number];

/** Returns a value for each kind of board. */
export function perBoardKind<Value>(create: (kind: BoardKind) => Value): Record<BoardKind, Value> {
	return {
		chart: create('chart'),
		diagram: create('diagram'),
		alarm: create('alarm'),
		correction: create('correction'),
		report: create('report'),
		entry: create('entry'),
	};
}
