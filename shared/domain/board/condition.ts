/** How a value is compared with the threshold of an alarm. */
export const conditions = ['>', '>=', '<', '<=', '==', '!='] as const;

/** A condition on a value, as an alarm has it. */
export interface Condition {
	readonly condition: (typeof conditions)[number];
	/** In the unit of the value. */
	readonly threshold: number;
}

const comparisons: Readonly<Record<Condition['condition'], (value: number, threshold: number) => boolean>> = {
	'>': (value, threshold) => value > threshold,
	'>=': (value, threshold) => value >= threshold,
	'<': (value, threshold) => value < threshold,
	'<=': (value, threshold) => value <= threshold,
	'==': (value, threshold) => value === threshold,
	'!=': (value, threshold) => value !== threshold,
};

/** Returns whether the condition holds for a value. */
export function isActive({ condition, threshold }: Condition, value: number): boolean {
	return comparisons[condition](value, threshold);
}

/**
 * Returns the threshold of an alarm that is on, which is moved back by the deadband (in the unit of the value). With `==` and `!=` the
 * deadband of a saved alarm is 0, so the threshold stays.
 */
export function clearingThreshold({ condition, threshold }: Condition, deadband: number): number {
	return condition === '>' || condition === '>=' ? threshold - deadband : threshold + deadband;
}
