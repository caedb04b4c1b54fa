import type { ComponentChildren } from 'preact';

/** A term and its value, in a list of facts (`<dl class="facts">`). Shows nothing without a value. */
export function Fact({ term, children }: { readonly term: string; readonly children: ComponentChildren }) {
	if (children === null || children === undefined) return null;
	return (
		<>
			<dt>{term}</dt>
			<dd>{children}</dd>
		</>
	);
}
