import type { ComponentChildren } from 'preact';
import type { Role } from '#domain/access/role.ts';
import { may, session } from '#page/core/session.ts';
import { commonText } from '#page/i18n/common.ts';
import { EmptyState } from './empty-state.tsx';

interface ForRoleProps {
	readonly needs: Role;
	readonly children: ComponentChildren;
}

/** Draws its children for a person who has the role or a higher one, and nothing for others. */
export function ForRole({ needs, children }: ForRoleProps) {
	return may(needs) ? children : null;
}

interface ScreenForRoleProps extends ForRoleProps {
	readonly title: string;
}

/** Draws a screen that belongs to a role. A person with less is told whose it is: an address may lead everybody there. */
export function ScreenForRole({ title, needs, children }: ScreenForRoleProps) {
	const { roleNeeded, roles } = commonText();
	if (may(needs) || session.value === null) return children;
	return (
		<>
			<div class="head">
				<h1>{title}</h1>
			</div>
			<EmptyState icon="i-user" title={roleNeeded(roles[needs], roles[session.value.role])} />
		</>
	);
}
