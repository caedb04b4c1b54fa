import { signal } from '@preact/signals';
import { options } from 'preact';
import { minuteMs } from '#domain/milliseconds.ts';
import { currentUptime, now, uptime } from './clock.ts';

/** When nodes of the page last had to be put back, in milliseconds of `uptime`; null before the first time. */
const restoredAt = signal<number | null>(null);

/** Returns whether something rewrites the page, such as a translator: whether nodes had to be put back within the last minute. */
export function isRewritten(): boolean {
	return restoredAt.value !== null && uptime.value - restoredAt.value < minuteMs;
}

/**
 * Keeps the nodes that Preact has drawn in the page. A translator takes text nodes out and puts its own in their place. Preact would go on
 * writing into nodes that nobody sees, and would fail where it inserts beside one. What was taken out is put back in place of what
 * replaced it: before each rendering, and every second. Call it before the first rendering.
 */
export function startNodeKeeper(root: HTMLElement): void {
	/** Whether a text was removed since the last check. Preact removes texts, too, so only the check tells. */
	let isSuspect = false;
	const note = (records: readonly MutationRecord[]): void => {
		isSuspect ||= records.some(({ removedNodes }) => [...removedNodes].some((node) => node instanceof Text));
	};
	const observer = new MutationObserver(note);
	observer.observe(root, { childList: true, subtree: true });
	const check = (): void => {
		note(observer.takeRecords());
		if (!isSuspect) return;
		if ('__k' in root && isDrawn(root.__k) && restore(root, root.__k)) restoredAt.value = currentUptime();
		// What was put back is no reason for another check.
		observer.takeRecords();
		isSuspect = false;
	};
	options.debounceRendering = (render) =>
		queueMicrotask(() => {
			check();
			render();
		});
	now.subscribe(check);
}

/** A node of Preact's tree. Preact's builds call its children `__k`, and the node of an element or a text in the page `__e`. */
interface Drawn {
	/** A component, the name of an element, or null for a text. */
	readonly type: unknown;
	readonly __k?: readonly (Drawn | null)[] | null;
	readonly __e?: Node | null;
}

function isDrawn(value: unknown): value is Drawn {
	return typeof value === 'object' && value !== null && 'type' in value;
}

/** Puts the nodes below `parent` back where they were drawn. Returns whether any was missing. */
function restore(parent: Node, { __k: children }: Drawn): boolean {
	const drawn = (children ?? []).flatMap(nodesOf);
	const isMissing = drawn.some(({ node }) => node.parentNode !== parent);
	if (isMissing) {
		const nodes = new Set<Node>(drawn.map(({ node }) => node));
		for (const node of [...parent.childNodes]) if (!nodes.has(node)) node.remove();
		let next: Node | null = null;
		for (const node of [...nodes].reverse()) {
			// Elements that are in place are not moved: they would lose the focus.
			if (node.parentNode !== parent || node.nextSibling !== next) parent.insertBefore(node, next);
			next = node;
		}
	}
	return drawn.map(({ node, of }) => restore(node, of)).some(Boolean) || isMissing;
}

/** Returns the elements and texts that a node of Preact's tree draws into its parent, in their order. */
function nodesOf(of: Drawn | null): readonly { readonly node: Node; readonly of: Drawn }[] {
	if (of === null) return [];
	if (typeof of.type === 'function') return (of.__k ?? []).flatMap(nodesOf);
	return of.__e instanceof Node ? [{ node: of.__e, of }] : [];
}
