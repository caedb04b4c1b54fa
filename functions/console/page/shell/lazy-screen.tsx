import { signal } from '@preact/signals';
import type { ComponentType } from 'preact';
import { useEffect } from 'preact/hooks';
import { Banner } from '#page/parts/banner.tsx';
import { Button } from '#page/parts/button.tsx';
import { laterStyles } from './later-styles.ts';
import { shellText } from './texts.ts';

/**
 * Creates a component that loads the code and the styles of a screen when it is first shown. If loading fails, it says so and offers to
 * load the page again.
 * @param Meanwhile the content until the screen is loaded; needed if content that is already shown may stay
 * @example const Trend = lazyScreen(async () => (await import('./screens/trend/trend.tsx')).Trend);
 */
export function lazyScreen<Props extends object>(
	load: () => Promise<ComponentType<Props>>,
	Meanwhile?: ComponentType<Props>,
): ComponentType<Props> {
	const loaded = signal<ComponentType<Props> | null>(null);
	const hasFailed = signal(false);
	const start = (): void => {
		hasFailed.value = false;
		Promise.all([load(), laterStyles()]).then(
			([screen]) => {
				loaded.value = screen;
			},
			() => {
				hasFailed.value = true;
			},
		);
	};
	return function LazyScreen(props: Props) {
		useEffect(() => {
			if (loaded.value === null) start();
		}, []);
		const Screen = loaded.value;
		if (Screen !== null) return <Screen {...props} />;
		if (!hasFailed.value) return Meanwhile === undefined ? null : <Meanwhile {...props} />;
		// A browser remembers that a module could not be loaded. It asks for the module again only after the page was loaded anew.
		return (
			<Banner look="error" action={<Button onClick={() => location.reload()}>{shellText().loadAgain}</Button>}>
				{shellText().loadFailed}
			</Banner>
		);
	};
}
