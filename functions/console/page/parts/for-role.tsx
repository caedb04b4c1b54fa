import type { ComponentChildren } from 'preact';
import type { Role } from '#domain/access/role.ts';
import { may, session } from '#page/core/session.ts';
import { commonText } from '#page/i18n/common.ts';
import { EmptyState } from './empty-state.tsx';

interface ForRoleProps {
	readonly needs: Role;
	readonly children: ComponentChildren;
}

/** Renders its children if the person has the role or a higher one. */
export function ForRole({ needs, children }: ForRoleProps) {
	return may(needs) ? children : null;
}

interface ScreenForRoleProps extends ForRoleProps {
	readonly title: string;
}

/** Renders a screen that needs a role. A person with a lower role is told which role it needs, because anybody may follow a link to it. */
export function ScreenForRole({ title, needs, children }: ScreenForRoleProps) {
	const { roleNeeded, roles } = commonText();
	// Without a session there is no role to name. The app shows the sign-in form then, in place of every screen.
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
