import { Icon, type IconName } from './icon.tsx';

/** Properties of Chip: a filter with its count. Without `onToggle` it is only a count. */
export interface ChipProps {
	readonly count: number;
	readonly word: string;
	readonly icon?: IconName | undefined;
	/** Violet, for a quality that is not good. */
	readonly quality?: boolean | undefined;
	readonly pressed?: boolean | undefined;
	readonly onToggle?: (() => void) | undefined;
}

/** A filter that can be pressed, with the number of things that it leaves. */
export function Chip({ count, word, icon, quality = false, pressed = false, onToggle }: ChipProps) {
	const content = (
		<>
			{icon !== undefined && <Icon name={icon} class={quality ? 'violet' : undefined} />}
			<b>{count}</b>
			<span class={quality ? 'violet' : undefined}>{word}</span>
		</>
	);
	if (onToggle === undefined) return <span class="chip">{content}</span>;
	return (
		<button type="button" class="chip" aria-pressed={pressed} onClick={onToggle}>
			{content}
		</button>
	);
}
