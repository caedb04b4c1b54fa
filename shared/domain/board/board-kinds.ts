/** The kinds of board (shared/domain/board/README.md#references). */
export const boardKinds = ['chart', 'diagram', 'alarm', 'correction', 'report'] as const;

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
	};
}
