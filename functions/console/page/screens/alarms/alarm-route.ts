/** What the address of the screen names: the list, an alarm, or an editor. `id` is 0 for a new alarm. */
export type AlarmPlace =
	| { readonly kind: 'list' }
	| { readonly kind: 'detail'; readonly id: number }
	| { readonly kind: 'edit'; readonly id: number };

/** Parses the item of the address: `7`, `7-edit` or `new`. Anything else is the list. */
export function alarmPlaceOf(item: string | null): AlarmPlace {
	if (item === 'new') return { kind: 'edit', id: 0 };
	const [, id, edit] = /^([1-9]\d{0,15})(-edit)?$/.exec(item ?? '') ?? [];
	if (id === undefined) return { kind: 'list' };
	return { kind: edit === undefined ? 'detail' : 'edit', id: Number(id) };
}
