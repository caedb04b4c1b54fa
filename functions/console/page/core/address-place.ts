/** The part of a screen that the address names: the list, an item, or the editor of an item. `id` is 0 for a new item. */
export type AddressPlace =
	| { readonly kind: 'list' }
	| { readonly kind: 'detail'; readonly id: number }
	| { readonly kind: 'edit'; readonly id: number };

/** Parses the item of the address: `7`, `7-edit` or `new`. Anything else is the list. */
export function addressPlaceOf(item: string | null): AddressPlace {
	if (item === 'new') return { kind: 'edit', id: 0 };
	const [, id, edit] = /^([1-9]\d{0,15})(-edit)?$/.exec(item ?? '') ?? [];
	if (id === undefined) return { kind: 'list' };
	return { kind: edit === undefined ? 'detail' : 'edit', id: Number(id) };
}
