import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { holdsAtSign, machineActor, shownActor } from '#domain/access/actor.ts';

/** Every character of Unicode that a name can hold: no halves of surrogate pairs. */
const characters = Array.from({ length: 0x110000 }, (_, code) => code)
	.filter((code) => code < 0xd800 || code > 0xdfff)
	.map((code) => String.fromCodePoint(code));

describe('an @ in a name', () => {
	test('is every character that Unicode makes an @ in one of its forms', () => {
		const found = characters.filter((each) =>
			[each.normalize('NFKC'), each.normalize('NFKD')].some((form) => form.includes('@')),
		);
		expect(found).toEqual(['@', '\ufe6b', '\uff20']);
		expect(found.filter((each) => !holdsAtSign(`ana${each}plant.example`))).toEqual([]);
	});

	test('is one that looks like it: a letter a in a circle, an invisible one', () => {
		const lookalikes = ['\u24b6', '\u24d0', '\u{1f150}', '\u{1f170}', 'a\u20dd', '\u{e0040}'];
		expect(lookalikes.filter((each) => !holdsAtSign(`ana${each}plant.example`))).toEqual([]);
	});

	test('is nothing else', () => {
		expect(characters.filter(holdsAtSign)).toHaveLength(9);
		const neighbours = ['?', 'A', 'a', 'á', '\ufe6a', '\uff1f', '\uff21', '\u24b7', '\u24cf', '(at)', ''];
		expect(neighbours.filter(holdsAtSign)).toEqual([]);
	});
});

test('a machine never has a name as an actor that could be a person’s', () => {
	const part = fc.string({ unit: 'grapheme', maxLength: 20 });
	const name = fc.oneof(
		part,
		fc.tuple(part, fc.constantFrom('@', '＠', '﹫', 'ⓐ'), part).map((parts) => parts.join('')),
	);
	fc.assert(
		fc.property(name, (each) => {
			const actor = machineActor({ clientId: 'k3v9m2x7q4b8n6t1z5c0', name: each });
			expect(actor).toMatchObject({ kind: 'machine', id: 'k3v9m2x7q4b8n6t1z5c0' });
			expect(actor.name.normalize('NFKC')).not.toContain('@');
		}),
	);
	expect(machineActor({ clientId: 'c', name: 'historian' }).name).toBe('historian');
});

test('an actor is shown as it was stored, and a name alone as nobody in particular', () => {
	const actor = { kind: 'person', id: 'ana@plant.example', name: 'Ana@plant.example' } as const;
	expect(shownActor(actor)).toEqual(actor);
	for (const name of ['ana@plant.example', 'historian', '7', ''])
		expect(shownActor(name)).toEqual({ kind: 'unknown', id: null, name });
});
