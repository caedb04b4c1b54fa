import { parseXml, XmlCdata, XmlComment, XmlDeclaration, XmlElement, XmlError, type XmlNode, XmlText } from '@rgrove/parse-xml';
import { svgAttributes, svgElements, svgNamespaces, textElements } from '#domain/board/svg-names.ts';
import { foundInCalls, foundInStyle, isHarmlessLink, unquoted } from '#domain/board/svg-rules.ts';
import { sentText } from '#domain/validation/parse.ts';
import { type Problem, problem } from '#domain/validation/problem.ts';

/** The most elements that are drawn when every reference is followed. Elements that refer to each other could be billions. */
const maxDrawnElements = 100_000;

/** How deep elements, and the references among them, may be nested. */
const maxDepth = 100;

/**
 * Returns why an SVG cannot be a background, or null. The SVG is read by a strict parser of XML, and may have only what
 * `shared/domain/board/svg-names.ts` lists, so that nothing in it runs, is loaded from elsewhere, or is endless (shared/domain/board/DIAGRAM.md#background).
 */
export function svgProblem(svg: string): Problem | null {
	try {
		const { children } = parseXml(svg, {
			preserveCdata: true,
			preserveComments: true,
			preserveDocumentType: true,
			preserveXmlDeclaration: true,
		});
		const root = children.find((node) => node instanceof XmlElement);
		if (root?.name !== 'svg' || root.attributes['xmlns'] !== svgNamespaces.get('xmlns'))
			return problem('not_svg', 'Must be an SVG: its first element is svg, with xmlns="http://www.w3.org/2000/svg".');
		const found = firstOf(children, (node) => foundIn(node, 0)) ?? expansionOf(root);
		if (found === null) return null;
		const message = `Holds ${sentText(found)}, which a background must not have: remove it.`;
		return problem('not_allowed_in_svg', message, { found: sentText(found) });
	} catch (error) {
		if (error instanceof RangeError) return tooDeep;
		if (!(error instanceof XmlError)) throw error;
		const { line, column } = error;
		return problem('not_xml', `Is not well-formed XML at line ${line}, column ${column}.`, { line, column });
	}
}

const nesting = `more than ${maxDepth} nested elements`;
const tooDeep = problem('not_allowed_in_svg', `Holds ${nesting}, which a background must not have: remove it.`, {
	found: nesting,
});

function firstOf<Item>(items: Iterable<Item>, find: (item: Item) => string | null): string | null {
	for (const item of items) {
		const found = find(item);
		if (found !== null) return found;
	}
	return null;
}

/** Returns the first thing in a node that is not allowed, as a person would look for it in the file. */
function foundIn(node: XmlNode, depth: number): string | null {
	if (node instanceof XmlElement) return foundInElement(node, depth);
	if (node instanceof XmlCdata) return node.text.includes('<') ? 'markup in CDATA' : null;
	if (node instanceof XmlText) return null;
	// A parser of HTML ends a comment earlier than one of XML, and would take the rest for markup.
	if (node instanceof XmlComment) return /^-?>|</.test(node.content) ? 'markup in a comment' : null;
	// A browser reads the bytes by the encoding that is declared, in which they could mean something else.
	if (node instanceof XmlDeclaration) return /^utf-?8$/i.test(node.encoding ?? 'utf-8') ? null : `the encoding ${node.encoding}`;
	return node.type === 'pi' ? 'a processing instruction' : 'a document type';
}

function foundInElement(element: XmlElement, depth: number): string | null {
	const { name, attributes, children } = element;
	if (!svgElements.has(name)) return `<${name}>`;
	if (depth > maxDepth) return nesting;
	const inAttributes = firstOf(Object.entries(attributes), ([attribute, value]) => foundInAttribute(name, attribute, value));
	if (inAttributes !== null) return inAttributes;
	const isText = (node: XmlNode): node is XmlText => node instanceof XmlText && node.text.trim() !== '';
	if (!textElements.has(name) && children.some(isText)) return `text in <${name}>`;
	if (name === 'style') {
		const inStyle = element.children.some((child) => child instanceof XmlElement) ? 'markup' : foundInStyle(element.text);
		if (inStyle !== null) return `${inStyle} in <style>`;
	}
	return firstOf(children, (child) => foundIn(child, depth + 1));
}

function foundInAttribute(element: string, name: string, value: string): string | null {
	const sent = `${name}="${value}"`;
	if (svgNamespaces.has(name)) return svgNamespaces.get(name) === value ? null : sent;
	if (name === 'href' || name === 'xlink:href') return isHarmlessLink(element, value) ? null : `${sent} of <${element}>`;
	if (!svgAttributes.has(name) && !/^data-[a-z\d-]+$/.test(name)) return `the attribute ${name}`;
	const found = name === 'style' ? foundInStyle(value) : foundInCalls(value);
	return found === null ? null : `${found} in ${name}`;
}

/** Follows all references of a drawing. Returns a text about those that never end or are too many to draw; null where there are none. */
function expansionOf(root: XmlElement): string | null {
	const byId = new Map<string, XmlElement>();
	const gradients = new Set<string>();
	const register = (element: XmlElement): void => {
		const { id } = element.attributes;
		if (id !== undefined && !byId.has(id)) {
			byId.set(id, element);
			if (element.name.endsWith('Gradient')) gradients.add(id);
		}
		for (const child of element.children) if (child instanceof XmlElement) register(child);
	};
	register(root);
	const counts = new Map<XmlElement, number>();
	const open = new Set<XmlElement>();
	let found: string | null = null;
	const count = (element: XmlElement): number => {
		const known = counts.get(element);
		if (known !== undefined || found !== null) return known ?? 0;
		if (open.has(element) || open.size > maxDepth) {
			found = 'elements that refer to each other without end';
			return 0;
		}
		open.add(element);
		const referred = referencesOf(element);
		if (element.name === 'style') found ??= firstOf(referred, (id) => (gradients.has(id) ? null : `url(#${id}) in <style>`));
		const drawn = [...element.children, ...referred.map((id) => byId.get(id))].filter((each) => each instanceof XmlElement);
		const sum = drawn.reduce((total, each) => total + count(each), 1);
		open.delete(element);
		counts.set(element, sum);
		return sum;
	};
	return count(root) > maxDrawnElements ? (found ?? 'references to more than 100,000 elements') : found;
}

/** Returns the ids that the attributes of an element name, and the text of a style. A style may name gradients only: any element can have it. */
function referencesOf({ name, attributes, children }: XmlElement): readonly string[] {
	const texts = [
		...Object.values(attributes),
		...(name === 'style' ? children.map((child) => ('text' in child ? child.text : '')) : []),
	];
	const called = texts.flatMap((text) => [...text.matchAll(/url\s*\(([^)]*)/gi)].map(([, argument = '']) => unquoted(argument)));
	const linked = [attributes['href'], attributes['xlink:href']].flatMap((address) => address ?? []);
	return [...called, ...linked].filter((each) => each.startsWith('#')).map((each) => each.slice(1));
}
