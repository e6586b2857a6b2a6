/** A studio in a process of its own, so that it can be killed: its arguments are a run or a folder, and the page. */
import { fileURLToPath } from "node:url";
import { startStudio } from "../src/studio/server.ts";
import { subjectOf } from "../src/studio/subject.ts";

const [subject, page] = process.argv.slice(2);
const program = fileURLToPath(new URL("../src/cli/main.ts", import.meta.url));
const { address } = await startStudio(subjectOf(subject), { page, program });
console.log(address);
