import type { Agent } from 'node:http';

/**
 * How long a kept connection may be idle, in milliseconds. Balancers and firewalls drop an idle connection after 60 s or more, without
 * telling either side.
 */
const maxIdleMs = 50_000;

/**
 * Watches the idle sockets of an agent, so that no request is sent over one that may be dead. The agent's own timeout is not enough:
 * its timers stand still while Lambda freezes the process, and after that the agent still uses the socket.
 * @param now epoch milliseconds of a clock that goes on while the process is frozen
 */
export function watchIdleSockets(agent: Agent, now: () => number) {
	const idleSince = new WeakMap<object, number>();
	agent.on('free', (socket: object) => idleSince.set(socket, now()));
	const idleSockets = () => Object.values(agent.freeSockets).flatMap((sockets) => sockets ?? []);
	return {
		/** Destroys the sockets that were idle for 50 s or more. A time in the future counts as long ago: the clock was set back. */
		destroyOld(): void {
			for (const socket of idleSockets()) {
				const idleMs = now() - (idleSince.get(socket) ?? 0);
				if (idleMs < 0 || idleMs >= maxIdleMs) socket.destroy();
			}
		},
		/** Destroys all idle sockets. Where one connection is dead, the others probably are, too. */
		destroyAll(): void {
			for (const socket of idleSockets()) socket.destroy();
		},
	};
}
