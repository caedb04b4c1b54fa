import type { ComponentChildren } from 'preact';
import { variables } from '#page/core/definitions.ts';
import { hrefOf } from '#page/core/route.ts';
import { may } from '#page/core/session.ts';
import { commonText } from '#page/i18n/common.ts';
import { Banner } from './banner.tsx';
import { Button } from './button.tsx';
import { Icon, type IconName } from './icon.tsx';

interface EmptyStateProps {
	readonly icon: IconName;
	readonly title: string;
	/** Says how to begin: a sentence, a button. */
	readonly children?: ComponentChildren;
}

/** Shown in place of a list or a screen without content. */
export function EmptyState({ icon, title, children }: EmptyStateProps) {
	return (
		<div class="empty">
			<Icon name={icon} />
			<p class="strong">{title}</p>
			{children}
		</div>
	);
}

interface NoVariablesProps {
	readonly icon: IconName;
	/** Says why a variable is needed here. */
	readonly hint?: string;
}

/** Shown while the plant has no variables, in place of content that needs one. Links to the form of the first variable. */
export function NoVariables({ icon, hint }: NoVariablesProps) {
	return (
		<EmptyState icon={icon} title={commonText().noVariables}>
			{hint !== undefined && <p>{hint}</p>}
			{may('engineer') && (
				<>
					<a class="btn primary" href={hrefOf('variables', 'add')}>
						{commonText().addFromDatabase}
					</a>
					<a class="btn" href={hrefOf('variables', 'new')}>
						{commonText().newVariable}
					</a>
				</>
			)}
		</EmptyState>
	);
}

/** Says that the variables could not be read, with a button that reads them again. Shows nothing if they were read. */
export function VariablesUnread() {
	if (variables.failure.value === null) return null;
	return (
		<Banner look="error" icon="q-bad" action={<Button onClick={() => void variables.load()}>{commonText().again}</Button>}>
			{commonText().variablesFailed}
		</Banner>
	);
}
