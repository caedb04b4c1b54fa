/** Returns where `value` lies between `from` (0) and `to` (1). A range too large for a number is halved first. */
export function scaleFraction(value: number, from: number, to: number): number {
	if (Number.isFinite(to - from)) return (value - from) / (to - from);
	return (value / 2 - from / 2) / (to / 2 - from / 2);
}
