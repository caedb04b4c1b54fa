import { hrefOf } from '#page/core/route.ts';
import { messages } from '#page/i18n/i18n.ts';
import { EmptyState } from './empty-state.tsx';
import type { IconName } from './icon.tsx';

/** Properties of NoVariables. `hint` says what a variable is needed for. */
export interface NoVariablesProps {
	readonly icon: IconName;
	readonly hint: string;
}

/** Stands in place of what needs a variable while the plant has none. Leads to the first one. */
export function NoVariables({ icon, hint }: NoVariablesProps) {
	const text = noVariablesText();
	return (
		<EmptyState icon={icon} title={text.title}>
			<p>{hint}</p>
			<a class="btn primary" href={hrefOf('variables', 'new')}>
				{text.create}
			</a>
		</EmptyState>
	);
}

const noVariablesText = messages({
	en: { title: 'No variables yet', create: 'New variable' },
	es: { title: 'Aún no hay variables', create: 'Nueva variable' },
});
