import { expect, test } from 'vitest';
import { isolatedName } from '#domain/isolated-name.ts';

test.each(['مستوى', 'Tank מפלס 2', 'ﻼ', '\u0590', '\u08ff'])('%s is put between marks', (name) => {
	expect(isolatedName(name)).toBe(`\u2068${name}\u2069`);
});

test.each(['Tank 2', 'Depósito nº 2', 'Насос', '泵', '', '\u058f', '\u0900'])('"%s" stays as it is', (name) => {
	expect(isolatedName(name)).toBe(name);
});
