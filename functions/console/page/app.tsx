import type { ComponentType } from 'preact';
import { addressCredentials } from './core/address-credentials.ts';
import { addressPlaceOf } from './core/address-place.ts';
import { route, type ScreenName } from './core/route.ts';
import { expired, session } from './core/session.ts';
import { Overview } from './screens/overview/overview.tsx';
import { SignIn } from './screens/sign-in/sign-in.tsx';
import { lazyScreen } from './shell/lazy-screen.tsx';
import { Shell } from './shell/shell.tsx';
import { wallDoor } from './shell/wall-door.ts';

const VariableList = lazyScreen(async () => (await import('./screens/variables/variable-list.tsx')).VariableList);

const VariableScreen = lazyScreen(async () => (await import('./screens/variable-editor/variable-screen.tsx')).VariableScreen);

const AddScreen = lazyScreen(async () => (await import('./screens/variable-editor/add/add-screen.tsx')).AddScreen);

const ReportScreen = lazyScreen(async () => (await import('./screens/report/report.tsx')).ReportScreen);

const ReportEditorScreen = lazyScreen(
	async () => (await import('./screens/report-editor/report-editor-screen.tsx')).ReportEditorScreen,
);

/** The component of each screen. All but the overview are loaded when they are first shown. */
const screens: Readonly<Record<ScreenName, ComponentType>> = {
	overview: Overview,
	station: lazyScreen(async () => (await import('./screens/station/station.tsx')).Station),
	trend: lazyScreen(async () => (await import('./screens/trend/trend.tsx')).Trend),
	alarms: lazyScreen(async () => (await import('./screens/alarms/alarms.tsx')).Alarms),
	variables: Variables,
	diagram: lazyScreen(async () => (await import('./screens/diagram/diagram.tsx')).DiagramScreen),
	report: Reports,
	changes: lazyScreen(async () => (await import('./screens/changes/changes.tsx')).Changes),
	access: lazyScreen(async () => (await import('./screens/access/access.tsx')).Access),
};

/** The console: the sign-in form, or the screen that the address names. */
export function App() {
	const signedIn = session.value;
	const given = addressCredentials.value;
	// On a wall screen that signs in by itself, this stands in place of the form.
	const Door = wallDoor.value;
	// Other credentials in the address begin a new form.
	if (signedIn === null) return Door !== null ? <Door /> : <SignIn key={JSON.stringify(given)} given={given} />;
	return (
		<>
			{/* While somebody signs in again, the screens and everything typed in them stay below the form. They are created anew for another tenant. */}
			<div inert={expired.value} key={`${signedIn.schema} ${signedIn.database}`}>
				<Tenant />
			</div>
			{expired.value &&
				(Door !== null ? (
					<Door />
				) : (
					<SignIn
						given={{
							// The id of a person of an OpenID provider is no e-mail.
							email: signedIn.tenants === undefined ? signedIn.email : '',
							schemaName: signedIn.schema,
							tsdb_name: signedIn.database,
						}}
						isAgain
					/>
				))}
		</>
	);
}

/** The list of variables, the editor of one variable, or the screen that adds many. Each is loaded when it is first shown. */
function Variables() {
	if (route.value.item === 'add') return <AddScreen />;
	return route.value.item === null ? <VariableList /> : <VariableScreen />;
}

/** A report, or the editor of a report. Each is loaded when it is first shown. */
function Reports() {
	const place = addressPlaceOf(route.value.item);
	return place.kind === 'edit' ? <ReportEditorScreen id={place.id} /> : <ReportScreen />;
}

/** The screen that the address names, in the frame around every screen. */
function Tenant() {
	const Screen = screens[route.value.screen];
	return (
		<Shell>
			<Screen key={route.value.screen} />
		</Shell>
	);
}
