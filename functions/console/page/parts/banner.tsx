import type { ComponentChildren } from 'preact';
import { classNames } from './class-names.ts';
import { Icon, type IconName } from './icon.tsx';

/** `action` is the button that helps. */
interface BannerProps {
	/** `error`: something was refused. `doubt`: data cannot be trusted. `inverse`: the service itself is at fault. */
	readonly look?: 'error' | 'doubt' | 'inverse' | undefined;
	readonly icon?: IconName | undefined;
	/** What screen readers say once, in place of content that counts seconds. */
	readonly announcement?: string | undefined;
	readonly children: ComponentChildren;
	readonly action?: ComponentChildren;
}

/** A message in the page. Screen readers say an error at once, and other messages when they have time. */
export function Banner({ look, icon, announcement, children, action }: BannerProps) {
	const role = look === 'error' ? 'alert' : 'status';
	return (
		<div class={classNames('banner', look)}>
			{icon !== undefined && <Icon name={icon} />}
			{announcement !== undefined && (
				<span class="sr" role={role}>
					{announcement}
				</span>
			)}
			<div class="grow" role={announcement === undefined ? role : undefined}>
				{children}
			</div>
			{action}
		</div>
	);
}
