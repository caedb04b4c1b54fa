import { expect, test } from 'vitest';
import { type Break, withBrokenFold } from '#test/support/alarms/broken-fold.ts';
import { differenceOf, type FoldFunctions } from '#test/support/alarms/fold-check.ts';

const seeds = 150;

const firstDifference = async (functions: FoldFunctions) => {
	for (let seed = 0; seed < seeds; seed += 1) {
		const difference = await differenceOf(functions, seed);
		if (difference !== null) return difference;
	}
	return null;
};

test('finds no fault in a copy of the fold that is not broken', async () => {
	const unbroken: Break = { file: 'alarm/fold.ts', text: 'isComplete: true', replacement: 'isComplete: true' };
	expect(await withBrokenFold(unbroken, firstDifference)).toBeNull();
});

test.each<Break & { readonly name: string }>([
	{
		name: 'does not pause delays',
		file: 'alarm/alarm-machine.ts',
		text: 'state.pendingSince += at - state.uncertainSince;',
		replacement: 'state.pendingSince += 0;',
	},
	{
		name: 'runs timers before observations',
		file: 'alarm/alarm-machine.ts',
		text: 'this.#runTimers(at - 1);',
		replacement: 'this.#runTimers(at);',
	},
	{
		name: 'counts no occurrence',
		file: 'alarm/alarm-machine.ts',
		text: 'state.occurrence += 1;',
		replacement: '',
	},
	{
		name: 'raises for the condition whatever value ends a silence',
		file: 'alarm/alarm-machine.ts',
		text: "value !== null && !this.#holds(value) ? 'no_data' : 'condition'",
		replacement: "value === null ? 'no_data' : 'condition'",
	},
	{
		name: 'does not store how far it got',
		file: 'alarm/fold.ts',
		text: 'const until = Math.max(stored.until, from);',
		replacement: 'const until = from;',
	},
	{
		name: 'has its deadband on the wrong side',
		file: 'board/condition.ts',
		text: '? threshold - deadband : threshold + deadband',
		replacement: '? threshold + deadband : threshold - deadband',
	},
])('sees that a fold $name', async (broken) => {
	expect(await withBrokenFold(broken, firstDifference)).not.toBeNull();
});
