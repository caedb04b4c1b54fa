import { commonText } from '#page/i18n/common.ts';
import { Fact } from '#page/parts/fact.tsx';
import type { Draft } from './draft.ts';
import { variableVersionFields } from './variable-fields.ts';

/** The fields of a variable in words, for people who may not change it. */
export function VariableFacts({ content }: { readonly content: Draft }) {
	const fields = variableVersionFields({ base: content, theirs: content, mine: content });
	return (
		<section class="panel" aria-label={commonText().variable}>
			<dl class="facts">
				{fields.map(({ key, label, isCode, textOf }) => {
					const text = textOf(content);
					return (
						<Fact key={key} term={label}>
							{text === '' ? null : <span class={isCode ? 'mono' : undefined}>{text}</span>}
						</Fact>
					);
				})}
			</dl>
		</section>
	);
}
