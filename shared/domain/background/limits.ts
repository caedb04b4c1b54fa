import { outlineOf } from './outline.ts';
import type { Refused, StyleRule, SvgElement, SvgReference } from './svg-element.ts';

/** The most elements that are drawn when every reference is followed. Elements that refer to each other could be billions. */
const maxDrawnElements = 100_000;

/** A path or text of this many characters takes as long to draw as an element. */
const charactersOfElement = 100;

/** So many dashes take as long to draw as an element. */
const dashesOfElement = 5;

/** How deep elements, and the references among them, may be nested. */
export const maxDepth = 100;

/** The most pixels of all images together. Browsers take 4 bytes for each, however small the file is. */
const maxPixels = 16_000_000;

/** The most pairs of a part of a selector and an element. Browsers try each. */
const maxStyled = 10_000_000;

/** How many elements are drawn for the references of an element. */
interface Cost {
	/** For itself: its clip paths and masks, what it shows, and the stops that it takes from a gradient. */
	readonly once: number;
	/** Paints, for itself and for each element within, which inherits them. Markers may take them, too (`context-fill`). */
	readonly paints: number;
	/** Markers at the ends, for itself and for each element within. */
	readonly markers: number;
	/** Markers at each corner of itself and of each element within. */
	readonly atCorners: number;
	/** Dashes on each unit of the outline of itself and of each element within. */
	readonly dashes: number;
}

const noCost: Cost = { once: 0, paints: 0, markers: 0, atCorners: 0, dashes: 0 };

/**
 * Returns what would make a drawing endless, or too much to draw, when all its references are followed; null: nothing.
 * @param largest the largest size in styles and of fonts
 */
export function limitOf(root: SvgElement, rules: readonly StyleRule[], largest: number): Refused | null {
	const parents = new Map<SvgElement, SvgElement | null>();
	collect(root, null, parents);
	const elements = [...parents.keys()];
	const amount = (limit: number): string => limit.toLocaleString('en');
	const refuse = (found: string, { start }: SvgElement): Refused => ({ found, start });
	const pixels = elements.reduce((sum, element) => sum + element.pixels, 0);
	if (pixels > maxPixels) return refuse(`images of more than ${amount(maxPixels)} pixels`, root);
	const selectors = rules.reduce((sum, { size }) => sum + size, 0);
	if (selectors * elements.length > maxStyled)
		return refuse(`styles of ${amount(selectors)} selectors for ${amount(elements.length)} elements`, root);
	// Without references, a drawing draws no more than its text holds.
	if (![...elements, ...rules].some(({ references }) => references.length > 0)) return null;
	const { endless, drawn } = drawnBy(root, parents, rules, largest);
	if (endless !== null) return refuse('elements that refer to each other without end', endless);
	if (drawn <= maxDrawnElements) return null;
	const hasDashes = [...elements, ...rules].some(({ references }) => references.some(({ dashes }) => dashes !== undefined));
	return refuse(`${hasDashes ? 'dashes and ' : ''}references to more than ${amount(maxDrawnElements)} elements`, root);
}

/** Adds an element and all elements within to `parents`, in the order of the file. */
function collect(element: SvgElement, parent: SvgElement | null, parents: Map<SvgElement, SvgElement | null>): void {
	parents.set(element, parent);
	for (const child of element.content) if (typeof child !== 'string') collect(child, element, parents);
}

/**
 * Counts the elements that are drawn for the root.
 * @param parents the parent of each element, in the order of the file
 * @returns `endless`: an element that is drawn for itself; null: none
 */
function drawnBy(
	root: SvgElement,
	parents: ReadonlyMap<SvgElement, SvgElement | null>,
	rules: readonly StyleRule[],
	largest: number,
) {
	// Of several elements with one id, browsers refer to the first.
	const byId = new Map<string | undefined, SvgElement>();
	let mostCorners = 0;
	/** The size of which lengths in % are shares. */
	let viewport = largest;
	for (const element of parents.keys()) {
		const { id, viewBox = '', width = '', height = '' } = element.attributes;
		if (element.name === 'svg' || element.name === 'symbol')
			for (const size of [...viewBox.split(/[\s,]+/), width, height]) viewport = Math.max(viewport, Number.parseFloat(size) || 0);
		if (!byId.has(id)) byId.set(id, element);
		mostCorners = Math.max(mostCorners, lengthOf(element));
	}
	const rulesOf = Map.groupBy(
		rules.filter(({ references }) => references.length > 0).flatMap((rule) => rule.parts.map((part) => ({ part, rule }))),
		({ part }) => part,
	);
	let endless: SvgElement | null = null;
	const outline = keep((element: SvgElement): number => outlineOf(element, viewport, largest));
	const longestOutline = keep((_: SvgElement): number =>
		[...parents.keys()].reduce((most, element) => Math.max(most, outline(element)), 0),
	);

	const costOfReferences = keep((references: readonly SvgReference[]): Cost => sumOf(references.map(costOfReference)));
	function costOfReference({ id, property, dashes }: SvgReference): Cost {
		if (dashes !== undefined) return { ...noCost, dashes };
		const target = byId.get(id);
		const drawn = target === undefined ? 0 : drawnFor(target);
		const isGradient = target?.name === 'linearGradient' || target?.name === 'radialGradient';
		if (target?.name === 'pattern' || (isGradient && property !== 'href')) return { ...noCost, paints: drawn };
		if (target?.name !== 'marker') return { ...noCost, once: drawn };
		const isAtCorners = property === 'marker' || property === 'marker-mid';
		return isAtCorners ? { ...noCost, atCorners: drawn } : { ...noCost, markers: drawn };
	}
	const costOfPart = keep((part: string): Cost => {
		return sumOf((rulesOf.get(part) ?? []).map(({ rule }) => costOfReferences(rule.references)));
	});
	/** The cost of an element's own references, of the rules that can apply to it, and of what it inherits. */
	const costOf = keep((element: SvgElement): Cost => {
		const { references } = element;
		const parent = parents.get(element) ?? null;
		const inherited = parent === null ? noCost : costOf(parent);
		const costs = rulesOf.size === 0 ? [] : partsOf(element).map(costOfPart);
		if (references.length > 0) costs.push(costOfReferences(references));
		return sumOf(costs, inherited.once === 0 ? inherited : { ...inherited, once: 0 });
	});

	/** The elements that are being counted: each is drawn for the one before it. */
	const path = new Set<SvgElement>();
	const countDrawn = keep((element: SvgElement): number => {
		const { once, paints, markers, atCorners, dashes } = costOf(element);
		const drawnAlong = (corners: number, length: typeof outline): number =>
			(1 + paints) * (1 + markers + atCorners * corners) + (dashes === 0 ? 0 : (dashes * length(element)) / dashesOfElement);
		// What an element shows inherits from it, too.
		const shown = element.name === 'use' ? once * drawnAlong(mostCorners, () => longestOutline(root)) : once;
		const length = lengthOf(element);
		let drawn = length / charactersOfElement + drawnAlong(length, outline) + shown;
		for (const child of element.content) if (typeof child !== 'string') drawn += drawnFor(child);
		return drawn;
	});
	function drawnFor(element: SvgElement): number {
		if (path.has(element) || path.size > maxDepth) endless ??= element;
		if (endless !== null) return 0;
		path.add(element);
		const drawn = countDrawn(element);
		path.delete(element);
		return drawn;
	}

	const drawn = drawnFor(root);
	return { endless, drawn };
}

function sumOf(costs: readonly Cost[], first = noCost): Cost {
	return costs.reduce((sum, cost) => (sum === noCost ? cost : add(sum, cost)), first);
}

function add(one: Cost, other: Cost): Cost {
	return {
		once: one.once + other.once,
		paints: one.paints + other.paints,
		markers: one.markers + other.markers,
		atCorners: one.atCorners + other.atCorners,
		dashes: one.dashes + other.dashes,
	};
}

/** Returns a function that computes each result once. */
function keep<Input, Result>(compute: (input: Input) => Result): (input: Input) => Result {
	const results = new Map<Input, Result>();
	return (input) => {
		const known = results.get(input);
		if (known !== undefined) return known;
		const result = compute(input);
		results.set(input, result);
		return result;
	};
}

/** The characters of a path or text. A path has at most one corner for each. */
function lengthOf({ attributes, content }: SvgElement): number {
	let length = (attributes['d'] ?? attributes['points'] ?? '').length;
	for (const child of content) if (typeof child === 'string') length += child.length;
	return length;
}

/** The parts of selectors (`StyleRule`) that an element has. */
function partsOf({ name, attributes }: SvgElement): readonly string[] {
	const classes = new Set((attributes['class'] ?? '').split(/\s+/));
	return ['*', name, `#${attributes['id']}`, ...[...classes].map((each) => `.${each}`)];
}
