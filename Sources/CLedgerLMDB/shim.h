#pragma once

#include <lmdb.h>
#include <sys/vfs.h>
