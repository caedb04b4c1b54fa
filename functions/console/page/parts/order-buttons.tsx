import { commonText } from '#page/i18n/common.ts';
import { messages } from '#page/i18n/i18n.ts';
import { Button } from './button.tsx';

interface OrderButtonsProps {
	/**
	 * Identifies the item on the screen. The buttons have it after their act in `data-act`: `up pumps 3`. By that the editors find the button
	 * that gets the focus.
	 */
	readonly item: string;
	readonly name: string;
	/**
	 * Whether there is no place above. The button then is not `disabled`, so that it keeps the focus. It still calls `onMove`, which changes
	 * nothing at an end of the list.
	 */
	readonly isFirst: boolean;
	/** The same for the place below. */
	readonly isLast: boolean;
	readonly disabled: boolean;
	readonly onMove: (step: -1 | 1) => void;
	readonly onRemove: () => void;
}

/** The buttons that move an item in its list, and remove it. */
export function OrderButtons({ item, name, isFirst, isLast, disabled, onMove, onRemove }: OrderButtonsProps) {
	const text = orderText();
	return (
		<>
			<Button
				small
				icon="i-up"
				aria-label={text.up(name)}
				aria-disabled={isFirst}
				disabled={disabled}
				data-act={`up ${item}`}
				onClick={() => onMove(-1)}
			/>
			<Button
				small
				icon="i-down"
				aria-label={text.down(name)}
				aria-disabled={isLast}
				disabled={disabled}
				data-act={`down ${item}`}
				onClick={() => onMove(1)}
			/>
			<Button
				small
				icon="i-x"
				aria-label={commonText().remove(name)}
				disabled={disabled}
				data-act={`remove ${item}`}
				onClick={onRemove}
			/>
		</>
	);
}

/** The texts about items that are moved and removed. */
export const orderText = messages({
	en: {
		up: (name: string) => `Move ${name} up`,
		down: (name: string) => `Move ${name} down`,
		moved: (name: string, place: number) => `${name} is now number ${place}`,
		removed: (name: string) => `${name} removed`,
	},
	es: {
		up: (name: string) => `Subir ${name}`,
		down: (name: string) => `Bajar ${name}`,
		moved: (name: string, place: number) => `${name} está ahora en el puesto ${place}`,
		removed: (name: string) => `${name} quitado`,
	},
});
