import { PassThrough } from 'node:stream';
import { WriteStream } from 'node:tty';
import fc from 'fast-check';
import pc from 'picocolors';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { coloursFor } from '#infra/cli/colours.ts';
import { eraseLine, print, printable, printLines } from '#infra/cli/print.ts';
import { createProgressBar } from '#infra/cli/progress-bar.ts';
import { createConsoleLog } from '#infra/local/console-log.ts';

// picocolors reads the environment when it is loaded: colours must not depend on where the tests run.
const { isColorSupported } = pc;
beforeAll(() => void Object.assign(pc, { isColorSupported: true }));
afterAll(() => void Object.assign(pc, { isColorSupported }));

/** What could control a terminal, begin a line, or turn the order of words. */
const controls = /(?!\t)[\p{Cc}\p{Bidi_Control}\u2028\u2029]/u;

const hostile = [
	...[
		'\u001b[2J',
		'\u001b]0;title\u0007',
		'\u001b[8mhidden',
		'\u001b[31mred',
		'\u009b31m',
		'\u0007',
		'\u0008',
		'\u007f',
		'\u0085',
	],
	...['\n12:00:00 POST /saveAlarm 200', '\rdone', '\u202e', '\u2066', '\u200f', '\u061c', '\u2028', '\u2029', '\u0000', '\u000b'],
];

const collect = (isTTY: boolean) => {
	const stream = Object.assign(Object.create(WriteStream.prototype), new PassThrough(), { isTTY });
	const written: string[] = [];
	stream.write = (text: string) => written.push(text);
	return { stream, output: () => written.join('') };
};

test('a line beside a progress bar stands in its place, escaped, and the bar is on a terminal only', () => {
	for (const isTTY of [true, false]) {
		const { stream, output } = collect(isTTY);
		const bar = createProgressBar(stream, 'Checking');
		if (!isTTY) bar.update(1, 2);
		bar.note('plant_a \u0007');
		bar.stop();
		expect(output()).toBe(`${isTTY ? eraseLine : ''}plant_a \\u0007\n`);
	}
});

describe('a line that is printed', () => {
	test('holds no character of Unicode that controls a terminal', () => {
		const reaching = Array.from({ length: 0x110000 }, (_, code) => code)
			.filter((code) => code < 0xd800 || code > 0xdfff)
			.map((code) => String.fromCodePoint(code))
			.filter((character) => controls.test(printable(character)));
		expect(reaching).toEqual([]);
		expect(printable('Depósito 3\t≥ 2 m³ \u{1f6b0}')).toBe('Depósito 3\t≥ 2 m³ \u{1f6b0}');
	});

	test('is one line, whatever it names', () => {
		for (const name of hostile) {
			const { stream, output } = collect(true);
			print(`alarm ${name} was saved`, stream);
			expect(output().endsWith(' was saved\n')).toBe(true);
			expect(output().slice(0, -1)).not.toMatch(controls);
		}
	});

	test('has the colours of the program, and none of a name, at a terminal', () => {
		for (const name of hostile) {
			const { stream, output } = collect(true);
			print(coloursFor(stream).red(name), stream);
			const [open = '', close = ''] = pc.createColors(true).red('|').split('|');
			expect(output().startsWith(open)).toBe(true);
			expect(output().endsWith(`${close}\n`)).toBe(true);
			expect(output().slice(open.length, -1 - close.length)).not.toMatch(controls);
		}
	});

	test('has no escape sequence of any text', () => {
		fc.assert(
			fc.property(fc.string({ unit: 'binary' }), (name) => {
				const { stream, output } = collect(false);
				print(coloursFor(stream).red(`${name}\ue000${crypto.randomUUID()}[31m`), stream);
				expect(output().slice(0, -1)).not.toMatch(controls);
			}),
		);
	});
});

test('a text is printed line by line', () => {
	const { stream, output } = collect(false);
	printLines('a\u0007\nb', stream);
	expect(output()).toBe('a\\u0007\nb\n');
});

test('no value begins a line of the log of npm start', () => {
	for (const name of hostile) {
		const { stream, output } = collect(true);
		const log = createConsoleLog(
			(text) => printLines(text, stream),
			() => 0,
		);
		log.info(`Schema ${name}`.replaceAll('\n', ' '), { name });
		log.error('A request failed.', { error: `Error: ${name}\n    at y` });
		const lines = output().split('\n').slice(0, -1);
		expect(lines.filter((line) => /^\d/.test(line))).toHaveLength(2);
		expect(lines.join('')).not.toMatch(controls);
	}
});
