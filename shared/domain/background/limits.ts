import type { Refused, StyleRule, SvgElement, SvgReference } from './svg-element.ts';

/** The most elements that are drawn when every reference is followed. Elements that refer to each other could be billions. */
const maxDrawnElements = 100_000;

/** A path or text of this many characters takes as long to draw as an element. */
const charactersOfElement = 100;

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
	/** For itself and for each element within: paints and markers are inherited. */
	readonly inherited: number;
	/** At each corner of itself and of each element within. */
	readonly atCorners: number;
}

const noCost: Cost = { once: 0, inherited: 0, atCorners: 0 };

/** Returns what would make a drawing endless, or too much to draw, when all its references are followed; null: nothing. */
export function limitOf(root: SvgElement, rules: readonly StyleRule[]): Refused | null {
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
	const { endless, drawn } = drawnBy(root, parents, rules);
	if (endless !== null) return refuse('elements that refer to each other without end', endless);
	return drawn > maxDrawnElements ? refuse(`references to more than ${amount(maxDrawnElements)} elements`, root) : null;
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
function drawnBy(root: SvgElement, parents: ReadonlyMap<SvgElement, SvgElement | null>, rules: readonly StyleRule[]) {
	// Of several elements with one id, browsers refer to the first.
	const byId = new Map<string | undefined, SvgElement>();
	let mostCorners = 0;
	for (const element of parents.keys()) {
		const { id } = element.attributes;
		if (!byId.has(id)) byId.set(id, element);
		mostCorners = Math.max(mostCorners, lengthOf(element));
	}
	const rulesOf = Map.groupBy(
		rules.filter(({ references }) => references.length > 0).flatMap((rule) => rule.parts.map((part) => ({ part, rule }))),
		({ part }) => part,
	);
	let endless: SvgElement | null = null;

	const costOfReferences = keep((references: readonly SvgReference[]): Cost => sumOf(references.map(costOfReference)));
	function costOfReference({ id, property }: SvgReference): Cost {
		const target = byId.get(id);
		const drawn = target === undefined ? 0 : drawnFor(target);
		const isGradient = target?.name === 'linearGradient' || target?.name === 'radialGradient';
		const isInherited = target?.name === 'pattern' || target?.name === 'marker' || (isGradient && property !== 'href');
		if (!isInherited) return { ...noCost, once: drawn };
		const isAtCorners = property === 'marker' || property === 'marker-mid';
		return isAtCorners ? { ...noCost, atCorners: drawn } : { ...noCost, inherited: drawn };
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
		const { once, inherited, atCorners } = costOf(element);
		// What an element shows inherits from it, too.
		const shown = element.name === 'use' ? once * (1 + inherited + atCorners * mostCorners) : once;
		const length = lengthOf(element);
		let drawn = 1 + length / charactersOfElement + inherited + atCorners * length + shown;
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
	return costs.reduce(
		(sum, { once, inherited, atCorners }) => ({
			once: sum.once + once,
			inherited: sum.inherited + inherited,
			atCorners: sum.atCorners + atCorners,
		}),
		first,
	);
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
