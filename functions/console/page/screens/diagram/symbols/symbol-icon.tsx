import type { VNode } from 'preact';
import type { SymbolKind } from '#domain/board/symbol-kinds.ts';
import { houses } from './symbol-art.tsx';

/** What has a small symbol: the kinds of symbols, pipes, and the tool that chooses. */
type IconKind = SymbolKind | 'pipe' | 'choose';

/** Draws the small symbol of a kind for lists and tools. It is not in the sprite, because only diagrams need it. */
export function SymbolIcon({ kind }: { readonly kind: IconKind }) {
	return (
		<svg class="i d-icon" viewBox="0 0 24 24" aria-hidden="true">
			{icons[kind]}
		</svg>
	);
}

const icons: Readonly<Record<IconKind, VNode>> = {
	value: <path d="M3 5h18v9H3zM12 14v6M7 9.5h.1M10.5 9.5h.1M14 9.5h3.5" />,
	tank: (
		<>
			<path class="d-water" d="M5 12h14v8H5z" />
			<path d="M5 4h14v16H5zM5 12h14" />
		</>
	),
	pump: <path d="M11 5h9v5h-2.6a7 7 0 1 1-6.4-5zM9 9.5v5l4.4-2.5z" />,
	valve: <path d="M3 9l9 6-9 6zM21 9l-9 6 9 6zM12 15V6M7 5.5h10" />,
	filter: (
		<>
			<path d="M6 3.5h12v17H6z" />
			<path stroke-dasharray="2 1.7" d="M6.5 9h11M6.5 12.5h11M6.5 16h11" />
		</>
	),
	source: (
		<>
			<path class="d-water" d="M3 11h18v8H3z" />
			<path d="M3 6v13h18V6M3 11.5c2.3 0 2.3-1.8 4.5-1.8s2.3 1.8 4.5 1.8 2.3-1.8 4.5-1.8 2.3 1.8 4.5 1.8" />
		</>
	),
	network: <path d={houses} />,
	text: <path d="M5 7V5h14v2M12 5v14M9 19h6" />,
	frame: <path d="M3.5 5h17v14h-17zM6.5 8.5h5" />,
	join: (
		<>
			<path d="M3 12h18M12 12v9" />
			<circle class="d-join" cx="12" cy="12" r="3.8" />
		</>
	),
	choose: <path d="M6 3.5l13 8-5.8 1.4-3 5.6z" />,
	pipe: (
		<>
			<path d="M3 17h8V7h7" />
			<path class="d-arrow" d="M16.5 2.8l5 4.2-5 4.2z" />
		</>
	),
};
