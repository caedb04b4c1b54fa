import type { ComponentChildren } from 'preact';
import { Icon, type IconName } from './icon.tsx';

/** Properties of EmptyState. `children` is how to begin: a sentence, a button. */
export interface EmptyStateProps {
	readonly icon: IconName;
	readonly title: string;
	readonly children?: ComponentChildren;
}

/** Stands in place of a list or a screen without content. */
export function EmptyState({ icon, title, children }: EmptyStateProps) {
	return (
		<div class="empty">
			<Icon name={icon} />
			<p class="strong">{title}</p>
			{children}
		</div>
	);
}
