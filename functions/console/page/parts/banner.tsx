import type { ComponentChildren } from 'preact';
import { classNames } from './class-names.ts';
import { Icon, type IconName } from './icon.tsx';

/** Properties of Banner. `action` is the button that helps. */
export interface BannerProps {
	/** `error`: something was refused. `doubt`: data cannot be trusted. `inverse`: the service itself is at fault. */
	readonly look?: 'error' | 'doubt' | 'inverse' | undefined;
	readonly icon?: IconName | undefined;
	readonly children: ComponentChildren;
	readonly action?: ComponentChildren;
}

/** A message in the page. Screen readers say an error at once, and other messages when they have time. */
export function Banner({ look, icon, children, action }: BannerProps) {
	return (
		<div class={classNames('banner', look)}>
			{icon !== undefined && <Icon name={icon} />}
			<div class="grow" role={look === 'error' ? 'alert' : 'status'}>
				{children}
			</div>
			{action}
		</div>
	);
}
