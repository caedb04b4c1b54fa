import { Command } from 'commander';

/** Loaded before a tool: its command line is parsed, and nothing is done. */
const { action } = Command.prototype;
Command.prototype.action = function (this: Command) {
	return action.call(this, () => undefined);
};
