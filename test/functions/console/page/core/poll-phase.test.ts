import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type PollEvent, type PollPhase, phaseAfter } from '#page/core/poll-phase.ts';

const events = fc.array(fc.constantFrom<PollEvent>('signedIn', 'signedOut', 'valuesAsked', 'alarmsAsked', 'read'));
const phaseOf = (happened: readonly PollEvent[]): PollPhase => happened.reduce<PollPhase>(phaseAfter, 'stopped');

describe('the phases of the polling', () => {
	test.each([
		['nobody is signed in', ['valuesAsked', 'alarmsAsked', 'read'], 'stopped'],
		['a session begins with values', ['signedIn'], 'values'],
		['what is read is waited after', ['signedIn', 'read'], 'waiting'],
		['alarms that are asked for while something is read come with the next poll', ['signedIn', 'alarmsAsked'], 'values'],
		[
			'values that are asked for while values are read are read once more',
			['signedIn', 'valuesAsked', 'valuesAsked', 'read'],
			'values',
		],
		['values that are asked for while alarms are read', ['signedIn', 'read', 'alarmsAsked', 'valuesAsked', 'read'], 'values'],
		['an answer after signing out', ['signedIn', 'signedOut', 'read'], 'stopped'],
	] as const)('%s', (_, happened, phase) => {
		expect(phaseOf(happened)).toBe(phase);
	});

	test('signing out stops it wherever it is, and only signing in begins it again', () => {
		fc.assert(
			fc.property(events, events, (before, after) => {
				expect(phaseOf([...before, 'signedOut'])).toBe('stopped');
				const untilSignedIn = after.filter((event) => event !== 'signedIn');
				expect(phaseOf([...before, 'signedOut', ...untilSignedIn])).toBe('stopped');
			}),
		);
	});

	test('values that are asked for by somebody who is signed in are being read at the latest when the present reading ends', () => {
		fc.assert(
			fc.property(events, (before) => {
				fc.pre(phaseOf(before) !== 'stopped');
				const [now, next] = [phaseOf([...before, 'valuesAsked']), phaseOf([...before, 'valuesAsked', 'read'])];
				expect(now === 'values' || next === 'values').toBe(true);
			}),
		);
	});

	test('it never stands still: what was read is followed by waiting or by values', () => {
		fc.assert(
			fc.property(events, (before) => {
				expect(['stopped', 'waiting', 'values']).toContain(phaseOf([...before, 'read']));
			}),
		);
	});
});
