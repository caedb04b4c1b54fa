import { hrefWithParams } from '#page/core/route.ts';
import type { EditedKind } from '#page/editing/item-kinds.ts';
import { Banner } from '#page/parts/banner.tsx';
import { shellText } from '#page/shell/texts.ts';

interface GoneItemProps {
	readonly kind: EditedKind;
	/** The id in the address; null where the address has none, so that there are no changes. */
	readonly id: number | null;
	/** Says that the item is deleted. */
	readonly children: string;
}

/** Shown in place of an item of the address that is deleted. It leads to the item's changes. */
export function GoneItem({ kind, id, children }: GoneItemProps) {
	return (
		<Banner
			action={
				id !== null && (
					<a class="btn" href={hrefWithParams('changes', { kind, item: String(id) })}>
						{shellText().screens.changes}
					</a>
				)
			}
		>
			{children}
		</Banner>
	);
}
