import type { Signal } from '@preact/signals';
import { Button } from '#page/parts/button.tsx';
import { lazyScreen } from '#page/shell/lazy-screen.tsx';
import { shellText } from '#page/shell/texts.ts';
import type { ItemHistoryProps } from './item-history.tsx';

const ItemHistory = lazyScreen(async () => (await import('./item-history.tsx')).ItemHistory);

/** The changes of one item, beside its editor; nothing while it is closed. It is loaded when somebody opens it. */
export function HistoryPanel(props: ItemHistoryProps) {
	if (!props.isOpen.value) return null;
	return <ItemHistory key={`${props.kind} ${props.itemId}`} {...props} />;
}

/** Opens and closes the changes of an item. */
export function HistoryButton({ isOpen }: { readonly isOpen: Signal<boolean> }) {
	return (
		<Button
			aria-expanded={isOpen.value}
			onClick={() => {
				isOpen.value = !isOpen.value;
			}}
		>
			{shellText().screens.changes}
		</Button>
	);
}
