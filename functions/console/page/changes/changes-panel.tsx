import type { Signal } from '@preact/signals';
import { Button } from '#page/parts/button.tsx';
import { lazyScreen } from '#page/shell/lazy-screen.tsx';
import { shellText } from '#page/shell/texts.ts';
import type { ItemChangesProps } from './item-changes.tsx';

const ItemChanges = lazyScreen(async () => (await import('./item-changes.tsx')).ItemChanges);

/** Shows the changes of one item beside its editor while `isOpen` is true. Its code is loaded when somebody opens it. */
export function ChangesPanel(props: ItemChangesProps) {
	if (!props.isOpen.value) return null;
	return <ItemChanges key={`${props.kind} ${props.itemId}`} {...props} />;
}

/** The button that opens and closes the changes of an item. */
export function ChangesButton({ isOpen }: { readonly isOpen: Signal<boolean> }) {
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
