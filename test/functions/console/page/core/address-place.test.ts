import { expect, test } from 'vitest';
import { addressPlaceOf } from '#page/core/address-place.ts';

test('the address names the list, an item or an editor', () => {
	expect(addressPlaceOf(null)).toEqual({ kind: 'list' });
	expect(addressPlaceOf('7')).toEqual({ kind: 'detail', id: 7 });
	expect(addressPlaceOf('7-edit')).toEqual({ kind: 'edit', id: 7 });
	expect(addressPlaceOf('new')).toEqual({ kind: 'edit', id: 0 });
	expect(['0', '07', '-1', '7-', 'edit', '7.5', '12345678901234567'].map((item) => addressPlaceOf(item).kind)).toEqual(
		Array(7).fill('list'),
	);
});
