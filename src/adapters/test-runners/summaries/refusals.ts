/** How runners, package managers and wrappers say that there was nothing to run, or that they did not come to it. */

export interface Refusal {
  isEmpty: boolean
  isBroken: boolean
}

export function refusalIn(lines: readonly string[]): Refusal {
  const isUnrun = lines.some((line) => UNRUN.test(line)) && !lines.some((line) => GRADLE_RAN.test(line))
  return {
    isEmpty: isUnrun || lines.some((line) => EMPTY.some((pattern) => pattern.test(line.slice(0, EMPTY_WITHIN)))),
    isBroken: lines.some((line) => BROKEN.some((pattern) => pattern.test(line))),
  }
}

/** A runner of tasks says that one failed: whatever is seen of tests that passed, others may not have. */
export function taskFailedIn(lines: readonly string[]): boolean {
  return lines.some((line) => TASK_FAILED.test(line))
}
const TASK_FAILED =
  /^make(?:\[\d{1,3}\])?: \*\*\* |^error: Recipe `|ELIFECYCLE|ERR_PNPM_RECURSIVE|Lifecycle script `.{1,80}` failed|^error Command failed with|^ ?Failed: {1,8}\S{1,80}#|task failed$|^npm (?:ERR!|error) code \d/

const EMPTY_WITHIN = 200

const EMPTY: readonly RegExp[] = [
  /No test (?:files found|is available|matches the given|modules found|specified)|No tests? (?:found|executed!|to run)/,
  /There are no tests to run|no tests (?:ran|to run|found)|NO TESTS RAN|No tests (?:ran|were found|were executed|match)/,
  /collected 0 items|No tests collected|No examples found|No specs found|no spec files were found|no test specified/,
  /0 test files matching|had no matches|matched no packages|no packages to test|\[no test files\]|\[no tests to run\]/,
  /Couldn['’]t find any files to test|Test directory .{1,80} not found|No test case matched/,
]

/** Gradle left them out, since nothing changed. */
const UNRUN = /^> Task :(?:[\w.-]{1,60}:){0,8}\w{0,40}[tT]est (?:NO-SOURCE|UP-TO-DATE|FROM-CACHE|SKIPPED)$/
const GRADLE_RAN = /^> Task :(?:[\w.-]{1,60}:){0,8}\w{0,40}[tT]est$/

const BROKEN: readonly RegExp[] = [
  ...[
    /error: could not compile|\[(?:build|setup) failed\]|COMPILATION ERROR|[Cc]ompilation (?:error|failed)|:compile\w{0,40} FAILED/,
    /error TS\d{3,5}:|error CS\d{3,5}:|TS\d{3,5} \[ERROR\]|Type checking failed|Build FAILED|error: emit-module command failed/,
    /^.{1,200}\.(?:swift|cpp|cc|c|h|hpp|dart):\d{1,6}:\d{1,5}: (?:fatal )?[eE]rror: /,
    /Test suite failed to run|errors? during collection|Interrupted: \d{1,6} errors?|outside of examples|Startup Error/,
    /failed to load config|Cannot find module|ModuleNotFoundError|ImportError while loading|No module named|Failed to load "/,
    /command not found|[Nn]o such file or directory: |is not recognized as (?:an internal|the name|a name)|Executable doesn't exist/,
    /Cypress (?:failed to (?:start|verify)|executable not found)|Cannot start Chrome|No binary for Chrome|No captured browser/,
    /Unable to find executable|Could not find executable|PHP (?:Fatal|Parse) error|LoadError|cannot load such file/,
  ],
  // The package manager, or what is wrapped around it, refuses the project.
  ...[
    /npm (?:ERR!|error) (?:code (?:ENOENT|EBADENGINE|EBADDEVENGINES|EUSAGE|EJSONPARSE|ENOWORKSPACES)|Missing script:)/,
    /ERR_PNPM_(?!RECURSIVE_(?:RUN_FIRST_FAIL|EXEC_FIRST_FAIL|FAIL)|LIFECYCLE)[A-Z_]{3,60}|None of the selected packages has a "/,
    /This project is configured to use|^Usage Error: |^Internal Error: |Couldn't find a package\.json|defines "packageManager"/,
    /error Command ".{1,80}" not found|[Ss]cript not found|The engine ".{1,40}" is incompatible|No package\.json was found/,
    /could not find a pyproject\.toml|error: (?:Failed to spawn|No `project` table|No interpreter found|The requested interpreter)/,
    /No Pipfile present|Could not locate Gemfile|bundler: command not found|Your Ruby version is|Run `bundle install`/,
    /could not find a composer\.json|Command ".{1,80}" is not defined|requirements could not be resolved/,
    /error: could not find `Cargo\.toml`|failed to parse manifest|requires rustc|error: no such (?:command|subcommand)/,
    /^go: (?:cannot find main module|go\.mod |updates to go\.mod|module |errors parsing)|no required module provides|missing go\.sum/,
    /there is no POM in this directory|Non-resolvable parent POM|Could not resolve dependencies|Non-parseable POM/,
    /does not contain a Gradle build|Task '.{1,80}' not found in|Could not determine the dependencies|Unsupported class file/,
    /error (?:MSB1003|MSB1009|NETSDK\d{4})|compatible \.NET SDK was not found|\*\* \(Mix\) (?:Could not find|The task)/,
    /No rule to make target|no makefile found|does not contain recipe|No justfile found|Task not found|Could not find task/,
    /no tasks? .{1,80} found|Config files? .{0,200}not trusted|Cannot find configuration for task|Could not find project/,
    /service ".{1,80}" is not running|no such service|Cannot connect to the Docker daemon|no configuration file provided/,
    /^ssh: |Permission denied \(publickey|no distribution with the supplied name|^Doppler Error|^sudo: .{0,80}password/,
    /tox config file .{0,200}not found|No tox configuration|Noxfile .{0,200}not found|Error: no such (?:session|recipe)/i,
  ],
]
