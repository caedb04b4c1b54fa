/** A reference to an element of the same SVG, or a list of dashes, which draws as much. */
export interface SvgReference {
	/** Empty for dashes. */
	readonly id: string;
	/** The property or attribute that refers to it, in small letters. */
	readonly property: string;
	/** The number of dashes on each unit of length; left out for a reference. */
	readonly dashes?: number;
}

/** An element of a drawing, with only what a background may have. */
export interface SvgElement {
	readonly name: string;
	readonly attributes: Readonly<Record<string, string>>;
	readonly content: readonly (SvgElement | string)[];
	/** The references of its attributes. */
	readonly references: readonly SvgReference[];
	/** The pixels of an image; 0 for every other element. */
	readonly pixels: number;
	/** The position of the element in the text. */
	readonly start: number;
}

/** Something that a background must not have, as a person would look for it in the file. */
export interface Refused {
	readonly found: string;
	/** The position of its element in the text. */
	readonly start: number;
}

/** A rule of a style sheet. */
export interface StyleRule {
	/**
	 * The last part of each of its selectors: `.class`, `#id`, the name of an element, or `*` for anything else. The rule applies only to
	 * elements that have the part.
	 */
	readonly parts: readonly string[];
	/** The number of all parts of its selectors, at least 1. */
	readonly size: number;
	readonly references: readonly SvgReference[];
}
