import type { TargetedKeyboardEvent } from 'preact';
import { type Arrow, nearestOf } from './nearest.ts';

/** Moves the focus from one link of a container to the next in the direction of an arrow key. */
export function moveByArrow(event: TargetedKeyboardEvent<HTMLElement>): void {
	const from = event.target instanceof HTMLElement ? event.target.closest<HTMLElement>('a[data-id]') : null;
	if (from === null || !isArrow(event.key) || event.altKey || event.ctrlKey || event.metaKey) return;
	const links = [...event.currentTarget.querySelectorAll<HTMLElement>('a[data-id]')].filter((link) => link !== from);
	const index = nearestOf(
		links.map((link) => link.getBoundingClientRect()),
		from.getBoundingClientRect(),
		event.key,
	);
	if (index === null) return;
	event.preventDefault();
	event.stopPropagation();
	links[index]?.focus();
}

function isArrow(key: string): key is Arrow {
	return ['ArrowUp', 'ArrowDown', 'ArrowLeft', 'ArrowRight'].includes(key);
}
