import { hrefOf } from '#page/core/route.ts';
import { commonText } from '#page/i18n/common.ts';
import { EmptyState } from './empty-state.tsx';
import type { IconName } from './icon.tsx';

/** Properties of NoVariables. `hint` says what a variable is needed for. */
export interface NoVariablesProps {
	readonly icon: IconName;
	readonly hint: string;
}

/** Stands in place of what needs a variable while the plant has none. Leads to the first one. */
export function NoVariables({ icon, hint }: NoVariablesProps) {
	return (
		<EmptyState icon={icon} title={commonText().noVariables}>
			<p>{hint}</p>
			<a class="btn primary" href={hrefOf('variables', 'new')}>
				{commonText().newVariable}
			</a>
		</EmptyState>
	);
}
