/* NVRTC: the compiler is a process of its own, `python -m simt2simd.python.nvrtc`. */
#define _GNU_SOURCE
#include "cudart/module.h"
#include "nvrtc.h"

#include <spawn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

typedef struct {
	char *name, *text;
} file;

struct s2s_nvrtc_program {
	file source, *headers, *expressions; /* an expression's text is its lowered name, once that is known */
	int nheaders, nexpressions;
	bool compiled;
	char *image, *log;
	size_t image_bytes;
};

const char *nvrtcGetErrorString(nvrtcResult result) {
	static const char *const names[] = {"NVRTC_SUCCESS", "NVRTC_ERROR_OUT_OF_MEMORY",
		"NVRTC_ERROR_PROGRAM_CREATION_FAILURE", "NVRTC_ERROR_INVALID_INPUT", "NVRTC_ERROR_INVALID_PROGRAM",
		"NVRTC_ERROR_INVALID_OPTION", "NVRTC_ERROR_COMPILATION", "NVRTC_ERROR_BUILTIN_OPERATION_FAILURE",
		"NVRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION", "NVRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION",
		"NVRTC_ERROR_NAME_EXPRESSION_NOT_VALID", "NVRTC_ERROR_INTERNAL_ERROR"};
	return (unsigned int)result < sizeof names / sizeof *names ? names[result] : "NVRTC_ERROR unknown";
}

nvrtcResult nvrtcVersion(int *major, int *minor) {
	if (!major || !minor)
		return NVRTC_ERROR_INVALID_INPUT;
	*major = 13;
	*minor = 0;
	return NVRTC_SUCCESS;
}

static const int ARCHITECTURES[] = {75, 80, 86, 87, 88, 89, 90, 100, 103, 110, 120, 121};

nvrtcResult nvrtcGetNumSupportedArchs(int *count) {
	if (!count)
		return NVRTC_ERROR_INVALID_INPUT;
	*count = sizeof ARCHITECTURES / sizeof *ARCHITECTURES;
	return NVRTC_SUCCESS;
}

nvrtcResult nvrtcGetSupportedArchs(int *archs) {
	if (!archs)
		return NVRTC_ERROR_INVALID_INPUT;
	memcpy(archs, ARCHITECTURES, sizeof ARCHITECTURES);
	return NVRTC_SUCCESS;
}

/* ---- programs ---- */

static bool fill_file(file *made, const char *name, const char *text) {
	made->name = strdup(name);
	made->text = text ? strdup(text) : NULL;
	return made->name && (made->text || !text);
}

static void free_files(file *files, int count) {
	for (int i = 0; i < count; i++) {
		free(files[i].name);
		free(files[i].text);
	}
}

nvrtcResult nvrtcDestroyProgram(nvrtcProgram *program) {
	if (!program || !*program)
		return NVRTC_ERROR_INVALID_PROGRAM;
	nvrtcProgram p = *program;
	free_files(&p->source, 1);
	free_files(p->headers, p->nheaders);
	free_files(p->expressions, p->nexpressions);
	free(p->headers);
	free(p->expressions);
	free(p->image);
	free(p->log);
	free(p);
	*program = NULL;
	return NVRTC_SUCCESS;
}

nvrtcResult nvrtcCreateProgram(nvrtcProgram *program, const char *source, const char *name, int nheaders,
	const char *const *headers, const char *const *include_names) {
	if (!program || !source || nheaders < 0 || (nheaders > 0 && (!headers || !include_names)))
		return NVRTC_ERROR_INVALID_INPUT;
	nvrtcProgram p = calloc(1, sizeof *p);
	if (!p)
		return NVRTC_ERROR_OUT_OF_MEMORY;
	p->headers = calloc((size_t)nheaders + 1, sizeof *p->headers);
	bool done = p->headers && fill_file(&p->source, name && *name ? name : "default_program", source);
	for (int i = 0; done && i < nheaders; i++) {
		done = fill_file(&p->headers[i], include_names[i], headers[i]);
		p->nheaders++;
	}
	*program = p;
	if (done)
		return NVRTC_SUCCESS;
	nvrtcDestroyProgram(program);
	return NVRTC_ERROR_OUT_OF_MEMORY;
}

nvrtcResult nvrtcAddNameExpression(nvrtcProgram program, const char *expression) {
	if (!program)
		return NVRTC_ERROR_INVALID_PROGRAM;
	if (!expression)
		return NVRTC_ERROR_INVALID_INPUT;
	if (program->compiled)
		return NVRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION;
	file *list = realloc(program->expressions, ((size_t)program->nexpressions + 1) * sizeof *list);
	if (!list)
		return NVRTC_ERROR_OUT_OF_MEMORY;
	program->expressions = list;
	return fill_file(&list[program->nexpressions++], expression, NULL) ? NVRTC_SUCCESS : NVRTC_ERROR_OUT_OF_MEMORY;
}

nvrtcResult nvrtcGetLoweredName(nvrtcProgram program, const char *expression, const char **name) {
	if (!program)
		return NVRTC_ERROR_INVALID_PROGRAM;
	if (!expression || !name)
		return NVRTC_ERROR_INVALID_INPUT;
	if (!program->compiled)
		return NVRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION;
	for (int i = 0; i < program->nexpressions; i++)
		if (strcmp(program->expressions[i].name, expression) == 0 && program->expressions[i].text) {
			*name = program->expressions[i].text;
			return NVRTC_SUCCESS;
		}
	return NVRTC_ERROR_NAME_EXPRESSION_NOT_VALID;
}

/* ---- what came out ---- */

nvrtcResult nvrtcGetPTXSize(nvrtcProgram program, size_t *bytes) {
	if (!program || !program->image)
		return NVRTC_ERROR_INVALID_PROGRAM;
	if (!bytes)
		return NVRTC_ERROR_INVALID_INPUT;
	*bytes = program->image_bytes;
	return NVRTC_SUCCESS;
}

nvrtcResult nvrtcGetPTX(nvrtcProgram program, char *image) {
	if (!program || !program->image)
		return NVRTC_ERROR_INVALID_PROGRAM;
	if (!image)
		return NVRTC_ERROR_INVALID_INPUT;
	memcpy(image, program->image, program->image_bytes);
	return NVRTC_SUCCESS;
}

nvrtcResult nvrtcGetCUBINSize(nvrtcProgram program, size_t *bytes) {
	return nvrtcGetPTXSize(program, bytes);
}

nvrtcResult nvrtcGetCUBIN(nvrtcProgram program, char *image) {
	return nvrtcGetPTX(program, image);
}

nvrtcResult nvrtcGetProgramLogSize(nvrtcProgram program, size_t *bytes) {
	if (!program)
		return NVRTC_ERROR_INVALID_PROGRAM;
	if (!bytes)
		return NVRTC_ERROR_INVALID_INPUT;
	*bytes = (program->log ? strlen(program->log) : 0) + 1;
	return NVRTC_SUCCESS;
}

nvrtcResult nvrtcGetProgramLog(nvrtcProgram program, char *log) {
	if (!program)
		return NVRTC_ERROR_INVALID_PROGRAM;
	if (!log)
		return NVRTC_ERROR_INVALID_INPUT;
	strcpy(log, program->log ? program->log : "");
	return NVRTC_SUCCESS;
}

/* ---- compilation ---- */

enum { MOST_PATH = 4096 };

/* Write a file in a folder; its name may have folders in front. */
static bool write_file(const char *folder, const char *name, const char *text) {
	char path[MOST_PATH];
	if (strstr(name, "..") || snprintf(path, sizeof path, "%s/%s", folder, name) >= (int)sizeof path)
		return false;
	for (char *at = strchr(path + strlen(folder) + 1, '/'); at; at = strchr(at + 1, '/')) {
		*at = 0;
		mkdir(path, 0700);
		*at = '/';
	}
	FILE *out = fopen(path, "w");
	bool done = out && fputs(text, out) >= 0;
	return out && fclose(out) == 0 && done;
}

static char *read_whole(const char *folder, const char *name, size_t *bytes) {
	char path[MOST_PATH];
	snprintf(path, sizeof path, "%s/%s", folder, name);
	FILE *in = fopen(path, "r");
	char *text = NULL;
	if (in && fseek(in, 0, SEEK_END) == 0) {
		long size = ftell(in);
		rewind(in);
		text = size >= 0 ? calloc(1, (size_t)size + 1) : NULL;
		if (text && fread(text, 1, (size_t)size, in) != (size_t)size) {
			free(text);
			text = NULL;
		}
		*bytes = text ? (size_t)size : 0;
	}
	if (in)
		fclose(in);
	return text;
}

/* Run a command with what it prints in FOLDER/log; return its exit status, -1 if it cannot be run. */
static int run(char *const *words, const char *folder) {
	char path[MOST_PATH];
	snprintf(path, sizeof path, "%s/log", folder);
	posix_spawn_file_actions_t actions;
	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_addopen(&actions, 1, path, 01 | 0100 | 01000, 0600); /* O_WRONLY, O_CREAT, O_TRUNC */
	posix_spawn_file_actions_adddup2(&actions, 1, 2);
	pid_t child;
	int status = -1;
	if (posix_spawnp(&child, words[0], &actions, NULL, words, environ) == 0 && waitpid(child, &status, 0) == child)
		status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
	posix_spawn_file_actions_destroy(&actions);
	return status;
}

/* The lowered names: a line for each expression, in their order. */
static void read_names(nvrtcProgram program, char *text) {
	char *rest = text;
	for (int i = 0; text && i < program->nexpressions; i++) {
		char *line = strsep(&rest, "\n");
		free(program->expressions[i].text);
		program->expressions[i].text = line && *line ? strdup(line) : NULL;
	}
	free(text);
}

static void remove_folder(const char *folder) {
	char *words[] = {"rm", "-rf", "--", (char *)folder, NULL};
	pid_t child;
	if (posix_spawnp(&child, words[0], NULL, NULL, words, environ) == 0)
		waitpid(child, NULL, 0);
}

static nvrtcResult compile_in(
	nvrtcProgram p, const char *folder, int noptions, const char *const *options, const char *python) {
	bool written = write_file(folder, "source", p->source.text) && write_file(folder, "name", p->source.name);
	for (int i = 0; written && i < p->nheaders; i++) {
		char name[MOST_PATH];
		snprintf(name, sizeof name, "include/%s", p->headers[i].name);
		written = write_file(folder, name, p->headers[i].text);
	}
	size_t count = 0;
	char **words = calloc((size_t)(noptions + 2 * p->nexpressions) + 8, sizeof *words);
	if (!words || !written) {
		free(words);
		return NVRTC_ERROR_OUT_OF_MEMORY;
	}
	words[count++] = (char *)python;
	words[count++] = "-m";
	words[count++] = "simt2simd.python.nvrtc";
	words[count++] = (char *)folder;
	for (int i = 0; i < p->nexpressions; i++) {
		words[count++] = "--name-expression";
		words[count++] = p->expressions[i].name;
	}
	words[count++] = "--";
	for (int i = 0; i < noptions; i++)
		words[count++] = (char *)options[i];
	int status = run(words, folder);
	free(words);
	size_t bytes;
	free(p->log);
	p->log = read_whole(folder, "log", &bytes);
	if (status == 2)
		return NVRTC_ERROR_INVALID_OPTION;
	if (status == 1)
		return NVRTC_ERROR_COMPILATION;
	free(p->image);
	p->image = status == 0 ? read_whole(folder, "image", &p->image_bytes) : NULL;
	if (!p->image) {
		if (status < 0)
			fprintf(stderr, "simt2simd: NVRTC's compiler cannot be run: %s; see $S2S_PYTHON\n", python);
		return NVRTC_ERROR_BUILTIN_OPERATION_FAILURE;
	}
	read_names(p, read_whole(folder, "names", &bytes));
	p->compiled = true;
	return NVRTC_SUCCESS;
}

nvrtcResult s2s_nvrtc_compile(nvrtcProgram program, int noptions, const char *const *options, const char *python) {
	if (!program)
		return NVRTC_ERROR_INVALID_PROGRAM;
	if (noptions < 0 || (noptions > 0 && !options))
		return NVRTC_ERROR_INVALID_INPUT;
	if (getenv("S2S_PYTHON"))
		python = getenv("S2S_PYTHON");
	const char *temporary = getenv("TMPDIR");
	char folder[MOST_PATH / 2];
	snprintf(folder, sizeof folder, "%s/s2s_nvrtc_XXXXXX", temporary && *temporary ? temporary : "/tmp");
	if (!mkdtemp(folder))
		return NVRTC_ERROR_BUILTIN_OPERATION_FAILURE;
	nvrtcResult result = compile_in(program, folder, noptions, options, python ? python : "python3");
	remove_folder(folder);
	return result;
}
