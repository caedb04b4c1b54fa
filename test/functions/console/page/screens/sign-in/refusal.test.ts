import { describe, expect, test } from 'vitest';
import { blockedMs, fieldRefusals, missingFields, refusalLine } from '#page/screens/sign-in/refusal.ts';

const words = { refused: 'refused', unreachable: 'unreachable', failed: (status: number) => `failed ${status}` };
const refused = { kind: 'refused', status: 401, errors: {}, retryAfterMs: null } as const;
const tooLong = { code: 'too_long', message: 'At most 320 characters.', params: { maximum: 320 } };

describe('a failed sign-in', () => {
	test('that the service refuses does not say which of the four is wrong', () => {
		expect(refusalLine(refused, words)).toEqual({ text: 'refused' });
	});

	test('without an answer names the connection, not the credentials', () => {
		expect(refusalLine({ ...refused, kind: 'unreachable', status: 0 }, words)).toEqual({ text: 'unreachable' });
	});

	test('blocks for as long as the service says, and only with status 429', () => {
		expect(blockedMs({ ...refused, status: 429, retryAfterMs: 40_000 })).toBe(40_000);
		expect(blockedMs({ ...refused, status: 429 })).toBeNull();
		expect(blockedMs({ ...refused, status: 503, retryAfterMs: 5000 })).toBeNull();
	});

	test('stands below its field, and then has no line', () => {
		const failure = { ...refused, status: 400, errors: { email: tooLong } };
		expect(fieldRefusals(failure)).toEqual({ email: 'At most 320 characters.' });
		expect(refusalLine(failure, words)).toBeNull();
	});

	test('has the sentence of the service where it concerns no field, and the status where there is none', () => {
		expect(refusalLine({ ...refused, status: 503, errors: { request: tooLong } }, words)).toEqual({
			text: 'At most 320 characters.',
			lang: 'en',
		});
		expect(refusalLine({ ...refused, status: 502 }, words)).toEqual({ text: 'failed 502' });
	});
});

test('fields of blanks count as empty, 0 does not', () => {
	expect(missingFields({ email: ' ', tokenApp: '0', schemaName: 'plant', tsdb_name: '' }, 'needed')).toEqual({
		email: 'needed',
		tsdb_name: 'needed',
	});
});
