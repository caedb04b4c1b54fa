/** A symbol of `sprite.svg`, which index.html contains. */
export type IconName =
	| `q-${'good' | 'stale' | 'no_data' | 'bad' | 'missing_reference' | 'skipped' | 'uncertain'}`
	| `sev${1 | 2 | 3}-${'new' | 'ack' | 'ret'}`
	| `a-${'normal' | 'shelved' | 'disabled'}`
	| `pump-${'on' | 'off' | 'unknown'}`
	| `valve-${'open' | 'closed' | 'unknown'}`
	| `state-${'on' | 'off' | 'unknown'}`
	| `i-${'overview' | 'station' | 'trend' | 'alarm' | 'list' | 'diagram' | 'search' | 'pause' | 'play' | 'lost'}`
	| `i-${'up' | 'down' | 'left' | 'right' | 'plus' | 'minus' | 'x' | 'menu' | 'refresh' | 'user'}`
	| `i-${'report' | 'changes' | 'access' | 'machine' | 'undo' | 'redo'}`
	| 'brand';

/** Without `label` the symbol is hidden from screen readers. Then a word must stand beside it. */
interface IconProps {
	readonly name: IconName;
	readonly label?: string | undefined;
	readonly class?: string | undefined;
}

/** Draws a symbol in the colour and size of the text. */
export function Icon({ name, label, class: extra }: IconProps) {
	const shape = <use href={`#${name}`} />;
	const look = extra === undefined ? 'i' : `i ${extra}`;
	if (label !== undefined)
		return (
			<svg class={look} role="img" aria-label={label}>
				{shape}
			</svg>
		);
	return (
		<svg class={look} aria-hidden="true">
			{shape}
		</svg>
	);
}
