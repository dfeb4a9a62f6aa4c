#include "command_line/completion.h"

#include "command_line/command.h"
#include "command_line/options.h"

#include <string.h>

enum { SUMMARY_CHARACTERS = 60 };

/* An argument that is a file's name, or one of the words in `choices`, or if there are none any text. */
struct argument {
    bool is_file;
    char choices[NAMES_LIST_BYTES];
};

static void append_word(struct argument *argument, const char *word, size_t length) {
    size_t used = strlen(argument->choices);
    snprintf(argument->choices + used, sizeof argument->choices - used, "%s%.*s", used ? " " : "", (int)length, word);
}

/* "csv|jsonl" in the help lists the words; other arguments have the names that the option knows. */
static struct argument argument_of(const struct option *option) {
    struct argument argument = {.is_file = option->argument && strcmp(option->argument, "FILE") == 0};
    const struct name *names = option_names(option);
    if (option->argument && strchr(option->argument, '|') && !strchr(option->argument, '[')) {
        for (const char *at = option->argument; *at;) {
            const size_t length = strcspn(at, "|");
            append_word(&argument, at, length);
            at += length + (at[length] == '|');
        }
        return argument;
    }
    for (const struct name *name = names; name && name->text; name++)
        if (name_of(names, name->value) == name->text && !strchr(name->text, ' '))
            append_word(&argument, name->text, strlen(name->text));
    return argument;
}

/* The option of these groups that follows *at, and *at after it; NULL: there is none. */
static const struct option *next_option(unsigned groups, size_t *at) {
    while (*at < option_count) {
        const struct option *option = &option_table[(*at)++];
        if (option->groups & groups)
            return option;
    }
    return NULL;
}

static bool reads_file(const struct command *command) { return command->mapping || command->records; }

/* The start of a text, up to a whole word, within single quotation marks; `escaped` get a backslash. */
static void put_summary(FILE *out, const char *text, const char *mark, const char *escaped) {
    size_t length = strcspn(text, ";:.([");
    if (length > SUMMARY_CHARACTERS)
        for (length = SUMMARY_CHARACTERS; length && text[length] != ' ';)
            length--;
    while (length && strchr(" ,", text[length - 1]))
        length--;
    for (size_t i = 0; i < length; i++) {
        if (text[i] == '\'')
            fputs(mark, out);
        else if (strchr(escaped, text[i]))
            fprintf(out, "\\%c", text[i]);
        else
            putc(text[i], out);
    }
}

static void bash_options(FILE *out, const char *name, unsigned groups) {
    const struct option *option;
    fprintf(out, "    '%s') words='", name);
    for (size_t at = 0; (option = next_option(groups, &at)) != NULL;)
        fprintf(out, " %s", option->name);
    fputs("' ;;\n", out);
}

static void bash_arguments(FILE *out, const char *name, unsigned groups) {
    const struct option *option;
    for (size_t at = 0; (option = next_option(groups, &at)) != NULL;) {
        const struct argument argument = argument_of(option);
        if (!option->argument)
            continue;
        fprintf(out, "    '%s %s') ", name, option->name);
        if (argument.is_file)
            fputs("files=yes ;;\n", out);
        else
            fprintf(out, "words='%s' ;;\n", argument.choices);
    }
}

static void write_bash(FILE *out) {
    const struct command *command;
    fputs("# Completion of gecc for bash. Made by `gecc --completion bash`; not edited.\n"
          "_gecc() {\n"
          "    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} command=${COMP_WORDS[1]}\n"
          "    local words='' files=no\n"
          "    COMPREPLY=()\n"
          "    # bash takes --option=value for three words.\n"
          "    if [[ $word == = ]]; then\n"
          "        word=''\n"
          "    elif [[ $before == = ]]; then\n"
          "        before=${COMP_WORDS[COMP_CWORD - 2]}\n"
          "    fi\n"
          "    [[ $before == -o ]] && before=--output\n"
          "    ((COMP_CWORD == 1)) && command=''\n"
          "    case \"$command $before\" in\n",
          out);
    for (size_t i = 0; (command = command_at(i)) != NULL; i++)
        bash_arguments(out, command->name, command->options);
    const struct option *option;
    for (size_t at = 0; (option = next_option(OPTIONS_VERSION, &at)) != NULL;)
        if (option->argument)
            fprintf(out, "    '%s %s') words='%s' ;;\n", option->name, option->name, argument_of(option).choices);
    fputs("    *)\n        case $command in\n", out);
    fputs("    '') words='", out);
    for (size_t i = 0; (command = command_at(i)) != NULL; i++)
        fprintf(out, "%s ", command->name);
    for (size_t at = 0; (option = next_option(OPTIONS_VERSION, &at)) != NULL;)
        fprintf(out, "%s ", option->name);
    fputs("' ;;\n", out);
    for (size_t i = 0; (command = command_at(i)) != NULL; i++)
        bash_options(out, command->name, command->options);
    fputs("        esac\n        [[ -n $command && $word != -* ]] && words='' && files=yes\n        ;;\n    esac\n"
          "    if [[ $files == yes ]]; then\n"
          "        compopt -o default\n"
          "    else\n"
          "        mapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$word\")\n"
          "    fi\n"
          "}\n"
          "complete -F _gecc gecc\n",
          out);
}

static void zsh_options(FILE *out, unsigned groups, bool reads) {
    const struct option *option;
    for (size_t at = 0; (option = next_option(groups, &at)) != NULL;) {
        const struct argument argument = argument_of(option);
        fprintf(out, " \\\n            '%s%s[", option->name, option->argument ? "=" : "");
        put_summary(out, option->help, "'\\''", "[]:\\");
        fputs("]", out);
        if (argument.is_file)
            fputs(":file:_files", out);
        else if (argument.choices[0])
            fprintf(out, ": :(%s)", argument.choices);
        else if (option->argument)
            fputs(": : ", out);
        fputs("'", out);
    }
    fputs(reads ? " '*:file:_files' ;;\n" : " ;;\n", out);
}

static void write_zsh(FILE *out) {
    const struct command *command;
    fputs("#compdef gecc\n# Completion of gecc for zsh. Made by `gecc --completion zsh`; not edited.\n\n"
          "_gecc() {\n    local -a commands\n    commands=(\n",
          out);
    for (size_t i = 0; (command = command_at(i)) != NULL; i++) {
        fprintf(out, "        '%s:", command->name);
        put_summary(out, command->summary, "'\\''", ":\\");
        fputs("'\n", out);
    }
    fputs("    )\n"
          "    if ((CURRENT == 2)); then\n"
          "        _describe command commands\n"
          "        return\n"
          "    fi\n"
          "    local command=$words[2]\n"
          "    shift words\n"
          "    ((CURRENT--))\n"
          "    case $command in\n",
          out);
    for (size_t i = 0; (command = command_at(i)) != NULL; i++) {
        fprintf(out, "    %s)\n        _arguments", command->name);
        zsh_options(out, command->options, reads_file(command));
    }
    const struct option *option;
    for (size_t at = 0; (option = next_option(OPTIONS_VERSION, &at)) != NULL;)
        if (option->argument)
            fprintf(out, "    %s)\n        compadd %s ;;\n", option->name, argument_of(option).choices);
    fputs("    esac\n}\n\n_gecc \"$@\"\n", out);
}

static void fish_options(FILE *out, const char *condition, unsigned groups) {
    const struct option *option;
    for (size_t at = 0; (option = next_option(groups, &at)) != NULL;) {
        const struct argument argument = argument_of(option);
        fprintf(out, "complete -c gecc -n '%s' -l %s", condition, option->name + 2);
        if (option->argument)
            fprintf(out, argument.is_file ? " -r -F" : " -x -a '%s'", argument.choices);
        fputs(" -d '", out);
        put_summary(out, option->help, "\\'", "\\");
        fputs("'\n", out);
    }
}

static void write_fish(FILE *out) {
    const struct command *command;
    fputs("# Completion of gecc for fish. Made by `gecc --completion fish`; not edited.\n", out);
    for (size_t i = 0; (command = command_at(i)) != NULL; i++) {
        fprintf(out, "complete -c gecc -n __fish_use_subcommand -f -a %s -d '", command->name);
        put_summary(out, command->summary, "\\'", "\\");
        fputs("'\n", out);
    }
    fish_options(out, "__fish_use_subcommand", OPTIONS_VERSION);
    for (size_t i = 0; (command = command_at(i)) != NULL; i++) {
        char condition[80];
        snprintf(condition, sizeof condition, "__fish_seen_subcommand_from %s", command->name);
        fish_options(out, condition, command->options);
    }
}

bool completion_write(FILE *out, const char *shell) {
    static const struct {
        const char *shell;
        void (*write)(FILE *out);
    } shells[] = {{"bash", write_bash}, {"zsh", write_zsh}, {"fish", write_fish}};
    for (size_t i = 0; i < sizeof shells / sizeof *shells; i++)
        if (strcmp(shells[i].shell, shell) == 0)
            return shells[i].write(out), true;
    return false;
}
